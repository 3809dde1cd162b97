// A batch comes back one to one, in the order in which it was sent.
import { isJsonObject, type JsonObject } from '@instar/machinery';
import { differencesOf } from '../difference.ts';
import { broken, HELD, type Law, UNASKED } from '../law.ts';

export const order: Law = {
  name: 'order',
  title: 'a batch comes back complete and in order',
  async check(trial) {
    const forward = await trial.forward();
    if ('failure' in forward) return UNASKED;
    const sent = trial.objects.length;
    if (forward.objects.length !== sent)
      return broken({
        index: 0,
        message: `${forward.objects.length} objects came back for ${sent} that were sent`,
        differences: [],
      });
    const wrong = trial.objects.findIndex(
      (object, index) => identityOf(object) !== identityOf(forward.objects[index]!),
    );
    // An object that lost its name is a matter of metadata; here it must be another one of the batch.
    const isOther =
      wrong >= 0 &&
      trial.objects.some((object) => identityOf(object) === identityOf(forward.objects[wrong]!));
    if (!isOther) return HELD(sent);
    const differences = differencesOf(trial.objects.map(nameAndUid), forward.objects.map(nameAndUid));
    return broken({ index: wrong, message: 'the objects came back in a different order', differences });
  },
};

function identityOf({ metadata }: JsonObject): string {
  return isJsonObject(metadata)
    ? `${String(metadata['namespace'])}/${String(metadata['name'])}/${String(metadata['uid'])}`
    : '';
}

const nameAndUid = (object: JsonObject): JsonObject => ({
  metadata: { name: metaOf(object)['name'] ?? '', uid: metaOf(object)['uid'] ?? '' },
});
const metaOf = ({ metadata }: JsonObject): JsonObject => (isJsonObject(metadata) ? metadata : {});
