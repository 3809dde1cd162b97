import { describe, expect, it } from 'vitest';
import { podDisruptionBudgets } from './pod-disruption-budget.ts';
import { Trial } from './trial.ts';

const trial = new Trial(podDisruptionBudgets);

describe('pod disruption budgets', () => {
  it.each<[object, string[]]>([
    [{}, []],
    [{ minAvailable: '50%' }, []],
    [
      { minAvailable: 1, maxUnavailable: 1 },
      [
        'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
      ],
    ],
    [
      { maxUnavailable: '101%' },
      ['spec.maxUnavailable: Invalid value: "101%": must not be greater than 100%'],
    ],
    [{ minAvailable: -1 }, ['spec.minAvailable: Invalid value: -1: must be greater than or equal to 0']],
    [
      { unhealthyPodEvictionPolicy: 'Odd' },
      [
        'spec.unhealthyPodEvictionPolicy: Unsupported value: "Odd": supported values: "AlwaysAllow", "IfHealthyBudget"',
      ],
    ],
  ])('are validated with %j', (spec, expected) => {
    expect(trial.faults({ spec })).toEqual(expected);
  });

  it('count the changes of their spec', () => {
    expect(
      trial.update({ spec: { minAvailable: 2 } }, { spec: { minAvailable: 1 } }).object.metadata.generation,
    ).toBe(2);
  });

  it('are updated only with a resourceVersion', () => {
    expect(podDisruptionBudgets.strategy).toMatchObject({ allowUnconditionalUpdate: false });
  });

  it('show what they allow', () => {
    expect(trial.cells({ spec: { minAvailable: '50%' } })).toEqual(['a', '50%', 'N/A', 0, '<unknown>']);
  });
});
