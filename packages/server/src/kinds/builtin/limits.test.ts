import { describe, expect, it } from 'vitest';
import { limitRanges } from './limit-range.ts';
import { priorityClasses } from './priority-class.ts';
import { resourceQuotas } from './resource-quota.ts';
import { runtimeClasses } from './runtime-class.ts';
import { Trial } from './trial.ts';

describe('limit ranges', () => {
  const trial = new Trial(limitRanges);
  const limit = (rest: object) => ({ spec: { limits: [{ type: 'Container', ...rest }] } });

  it('derive defaults of containers from what they say', () => {
    expect(trial.create(limit({ max: { cpu: '2' }, min: { memory: '1Mi' } }))['spec']).toMatchObject({
      limits: [{ default: { cpu: '2' }, defaultRequest: { cpu: '2', memory: '1Mi' } }],
    });
  });

  it.each([
    [
      'a minimum above the maximum',
      { min: { cpu: '2' }, max: { cpu: '1' } },
      'min value 2 is greater than max',
    ],
    ['a ratio below 1', { maxLimitRequestRatio: { cpu: '500m' } }, 'ratio 500m is less than 1'],
    ['an unknown resource', { max: { wheels: '4' } }, 'must be a standard resource type or fully qualified'],
  ])('are refused with %s', (_what, rest, text) => {
    expect(trial.faults(limit(rest)).join()).toContain(text);
  });
});

describe('resource quotas', () => {
  const trial = new Trial(resourceQuotas);

  it.each([
    ['an unknown resource', { hard: { wheels: '4' } }, 'must be a standard resource for quota'],
    ['a negative amount', { hard: { pods: '-1' } }, 'must be greater than or equal to 0'],
    ['a part of a pod', { hard: { pods: '500m' } }, 'must be an integer'],
    ['scopes that conflict', { scopes: ['BestEffort', 'NotBestEffort'] }, 'conflicting scopes'],
    [
      'a scope that cannot limit the resource',
      { hard: { services: '1' }, scopes: ['BestEffort'] },
      'unsupported scope applied to resource',
    ],
  ])('are refused with %s', (_what, spec, text) => {
    expect(trial.faults({ spec }).join()).toContain(text);
  });
});

describe('priority and runtime classes', () => {
  it('have names and values that users may give', () => {
    const trial = new Trial(priorityClasses);
    expect(trial.faults({ value: 1_000_000_001 }).join()).toContain('maximum allowed value');
    expect(trial.faults({ metadata: { name: 'system-x' }, value: 1 }).join()).toContain(
      'system-x is not a known system priority class',
    );
  });

  it('keep their value and their handler', () => {
    expect(new Trial(priorityClasses).update({ value: 2 }, { value: 1 }).faults.join()).toContain(
      'value: Forbidden: may not be changed in an update.',
    );
    expect(new Trial(runtimeClasses).update({ handler: 'b' }, { handler: 'a' }).faults.join()).toContain(
      'handler: Invalid value: "b": field is immutable',
    );
  });
});
