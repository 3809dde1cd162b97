import { describe, expect, it } from 'vitest';
import { flowControlObjects } from '../validate/flow-control-defaults.ts';
import { certificateSigningRequests } from './certificate-signing-request.ts';
import { flowSchemas } from './flow-schema.ts';
import { priorityLevelConfigurations } from './priority-level-configuration.ts';
import { resourceClaims } from './resource-claim.ts';
import { resourceSlices } from './resource-slice.ts';
import { Trial } from './trial.ts';

describe('flow control', () => {
  it('accepts its own objects', () => {
    for (const object of flowControlObjects()) {
      const definition = object.kind === 'FlowSchema' ? flowSchemas : priorityLevelConfigurations;
      expect([object.metadata.name, new Trial(definition).faults(object)]).toEqual([
        object.metadata.name,
        [],
      ]);
    }
  });

  it.each([
    ['Limited without its settings', { type: 'Limited' }, 'spec.limited: Required value'],
    [
      'an exempt level of one’s own',
      { type: 'Exempt' },
      "must be 'Exempt' if and only if `name` is 'exempt'",
    ],
    [
      'a hand larger than the queues',
      { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: { queues: 2, handSize: 8 } } } },
      'should not be greater than queues (2)',
    ],
  ])('refuses a level with %s', (_what, spec, text) => {
    expect(new Trial(priorityLevelConfigurations).faults({ spec }).join()).toContain(text);
  });

  it('refuses a schema without a level', () => {
    expect(new Trial(flowSchemas).faults({ spec: {} }).join()).toContain('must reference a priority level');
  });
});

describe('requests for certificates', () => {
  const trial = new Trial(certificateSigningRequests);

  it.each([
    ['a request that is none', { request: 'eA==' }, 'PEM block type must be CERTIFICATE REQUEST'],
    ['an unknown usage', { usages: ['fun'] }, 'spec.usages[0]: Unsupported value: "fun"'],
    ['a signer without a domain', { signerName: 'x' }, 'must be a fully qualified domain and path'],
    ['too short a time', { expirationSeconds: 1 }, 'may not specify a duration less than 600 seconds'],
  ])('are refused with %s', (_what, spec, text) => {
    expect(trial.faults({ spec: { signerName: 'a.com/b', usages: ['any'], ...spec } }).join()).toContain(
      text,
    );
  });

  it('are those of the user who makes them', () => {
    const made = trial.create({ spec: { signerName: 'a.com/b', username: 'forged' } });
    expect(made['spec']).not.toMatchObject({ username: 'forged' });
  });
});

describe('claims and slices of devices', () => {
  const request = (rest: object) => ({ spec: { devices: { requests: [{ name: 'r', ...rest }] } } });

  it('ask for one device unless they say otherwise', () => {
    expect(
      new Trial(resourceClaims).create(request({ exactly: { deviceClassName: 'c' } }))['spec'],
    ).toMatchObject({ devices: { requests: [{ exactly: { allocationMode: 'ExactCount', count: 1 } }] } });
  });

  it.each([
    ['no class', { exactly: {} }, 'exactly.deviceClassName: Required value'],
    ['neither sort of request', {}, 'exactly one of `exactly` or `firstAvailable` is required'],
    [
      'all devices and a count',
      { exactly: { deviceClassName: 'c', allocationMode: 'All', count: 2 } },
      "must not be specified when allocationMode is 'All'",
    ],
  ])('are refused with %s', (_what, rest, text) => {
    expect(new Trial(resourceClaims).faults(request(rest)).join()).toContain(text);
  });

  it('are somewhere', () => {
    const pool = { name: 'p', generation: 1, resourceSliceCount: 1 };
    expect(new Trial(resourceSlices).faults({ spec: { driver: 'd.example.com', pool } }).join()).toContain(
      'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required',
    );
  });
});
