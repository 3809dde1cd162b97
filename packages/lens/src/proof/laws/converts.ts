import { broken, HELD, type Law } from '../law.ts';

export const converts: Law = {
  name: 'converts',
  title: 'every valid object converts',
  async check(trial) {
    const forward = await trial.forward();
    if (!('failure' in forward)) return HELD(trial.objects.length);
    return broken({ index: 0, message: `the conversion failed: ${forward.failure}`, differences: [] });
  },
};
