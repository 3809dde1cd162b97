// The same object converts to the same result, at another time and in another batch: the batch is sent again,
// reversed.
import { differencesOf } from '../difference.ts';
import { broken, HELD, type Law, UNASKED } from '../law.ts';

export const determinism: Law = {
  name: 'determinism',
  title: 'the same object always converts to the same result',
  async check(trial) {
    const forward = await trial.forward();
    const { conversion, to } = trial.settings;
    const count = trial.objects.length;
    if ('failure' in forward || forward.objects.length !== count) return UNASKED;
    const again = await conversion.run([...trial.objects].reverse(), to.apiVersion);
    if ('failure' in again)
      return broken({ index: 0, message: `the second time it failed: ${again.failure}`, differences: [] });
    for (const [index, object] of forward.objects.entries()) {
      const differences = differencesOf(object, again.objects[count - 1 - index] ?? null);
      if (differences.length > 0)
        return broken({ index, message: 'the second time the result was different', differences });
    }
    return HELD(count);
  },
};
