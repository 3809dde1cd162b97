import { describe, expect, it } from 'vitest';
import { leases } from './lease.ts';
import { Trial } from './trial.ts';

const trial = new Trial(leases);

describe('leases', () => {
  it.each([
    [{ leaseDurationSeconds: 0 }, ['spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0']],
    [
      { leaseTransitions: -1 },
      ['spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      {
        holderIdentity: '',
        leaseDurationSeconds: 1,
        leaseTransitions: 0,
        renewTime: '2026-01-02T03:04:05.000006Z',
      },
      [],
    ],
  ])('are validated with the spec %j', (spec, faults) => {
    expect(trial.faults({ spec })).toEqual(faults);
    expect(trial.update({ spec }, {}).faults).toEqual(faults);
  });

  it('drop the fields of coordinated leader election', () => {
    expect(
      trial.create({ spec: { strategy: 'OldestEmulationVersion', preferredHolder: 'x' } })['spec'],
    ).toEqual({});
  });

  it('may be created by an update', () => {
    expect(leases.strategy).toMatchObject({ allowCreateOnUpdate: true });
  });

  it('are updated only with a resourceVersion', () => {
    expect(leases.strategy).toMatchObject({ allowUnconditionalUpdate: false });
  });

  it('show their holder', () => {
    expect(trial.cells({ spec: { holderIdentity: 'me' } })).toEqual(['a', 'me', '<unknown>']);
  });
});
