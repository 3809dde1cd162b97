// The server accepts no changed metadata from a conversion other than labels and annotations: any other
// change is an error, or lost.
import { isJsonObject, type JsonObject } from '@instar/machinery';
import { broken, HELD, type Law, UNASKED } from '../law.ts';

export const metadata: Law = {
  name: 'metadata',
  title: 'apart from labels and annotations, metadata stays as it is, and the version is the one asked for',
  async check(trial) {
    const forward = await trial.forward();
    if ('failure' in forward || forward.objects.length !== trial.objects.length) return UNASKED;
    for (const [index, object] of trial.objects.entries()) {
      const expected = { ...identityOf(object), apiVersion: trial.settings.to.apiVersion };
      const differences = trial.settings.comparer.allDifferences(
        expected,
        identityOf(forward.objects[index]!),
      );
      if (differences.length > 0)
        return broken({ index, message: 'type or metadata were changed', differences });
    }
    return HELD(trial.objects.length);
  },
};

function identityOf({ apiVersion, kind, metadata: meta }: JsonObject): JsonObject {
  const { labels: _labels, annotations: _annotations, ...kept } = isJsonObject(meta) ? meta : {};
  return {
    ...(apiVersion !== undefined && { apiVersion }),
    ...(kind !== undefined && { kind }),
    metadata: kept,
  };
}
