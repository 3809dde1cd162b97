import { differencesOf } from '../difference.ts';
import { broken, HELD, type Law, UNASKED } from '../law.ts';

export const inputUntouched: Law = {
  name: 'input-untouched',
  title: 'converting does not change its argument',
  async check(trial) {
    const forward = await trial.forward();
    if ('failure' in forward) return UNASKED;
    for (const [index, object] of trial.objects.entries()) {
      const differences = differencesOf(object, forward.given[index]!);
      if (differences.length > 0) return broken({ index, message: 'the argument was changed', differences });
    }
    return HELD(trial.objects.length);
  },
};
