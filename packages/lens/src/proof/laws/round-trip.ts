// The round trip: what a client reads in the other version and writes back unchanged is the original object.
import { deepCopy } from '@instar/machinery';
import { broken, HELD, type Law, UNASKED } from '../law.ts';
import { settled } from '../subject.ts';

export const roundTrip: Law = {
  name: 'round-trip',
  title: 'an object survives the round trip',
  async check(trial) {
    const [seen, back] = [await trial.seen(), await trial.back()];
    const { from, to, comparer } = trial.settings;
    if (seen === undefined || back === undefined) return UNASKED;
    if ('failure' in back) {
      const message = `the conversion back from ${to.name} failed: ${back.failure}`;
      return broken({
        index: 0,
        message,
        differences: [],
        shown: [{ title: `in ${to.name}`, object: seen[0]! }],
      });
    }
    for (const [index, object] of trial.objects.entries()) {
      const returned = settled(deepCopy(back.objects[index] ?? {}), from);
      const differences = comparer.differences(object, returned);
      const shown = [{ title: `in ${to.name}`, object: seen[index]! }];
      if (differences.length > 0)
        return broken({
          index,
          message: `${from.name} → ${to.name} → ${from.name} is not what it was`,
          differences,
          shown,
        });
    }
    return HELD(trial.objects.length);
  },
};
