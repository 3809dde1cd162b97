import { describe, expect, it } from 'vitest';
import { nodes } from './node.ts';
import { Trial } from './trial.ts';

const trial = new Trial(nodes);

describe('nodes', () => {
  it('have the range of pods in both fields', () => {
    expect(trial.create({ spec: { podCIDR: '10.1.0.0/24' } })['spec']).toEqual({
      podCIDR: '10.1.0.0/24',
      podCIDRs: ['10.1.0.0/24'],
    });
  });

  it('may use all of their capacity unless they say otherwise', () => {
    expect(trial.create({ status: { capacity: { cpu: '4' } } })['status']).toMatchObject({
      allocatable: { cpu: '4' },
    });
  });

  it.each([
    [
      'an effect that does not exist',
      { taints: [{ key: 'k', effect: 'Never' }] },
      'metadata.taints[0].effect',
    ],
    ['a taint without an effect', { taints: [{ key: 'k' }] }, 'metadata.taints[0].effect'],
    [
      'the same taint twice',
      {
        taints: [
          { key: 'k', effect: 'NoSchedule' },
          { key: 'k', effect: 'NoSchedule' },
        ],
      },
      'metadata.taints[1]',
    ],
    ['a range that is none', { podCIDR: 'x' }, 'spec.podCIDRs[0]'],
    ['bits beyond the prefix', { podCIDR: '10.1.0.1/24' }, 'spec.podCIDRs[0]'],
  ])('are refused with %s', (_what, spec, field) => {
    expect(trial.faults({ spec }).join()).toContain(field);
  });

  it('keep their range of pods and their provider', () => {
    const before = { spec: { podCIDR: '10.1.0.0/24', providerID: 'a' } };
    expect(trial.update({ spec: { podCIDR: '10.2.0.0/24', providerID: 'b' } }, before).faults.join()).toMatch(
      /spec.podCIDRs: Forbidden.*spec.providerID: Forbidden/s,
    );
  });
});
