import { describe, expect, it } from 'vitest';
import type { RetirementState } from './retirement-state.ts';
import { stepsOf } from './steps.ts';

const NOW = Date.parse('2026-01-02T00:00:00Z');
const use = {
  user: 'u',
  userAgent: 'operator/1',
  reads: 3,
  writes: 1,
  openWatches: 0,
  firstSeen: '2026-01-01T00:00:00Z',
};

const retirement = (changes: Partial<RetirementState> = {}): RetirementState =>
  ({
    name: 'crontabs.example.com',
    version: 'v1beta1',
    to: 'v1',
    defined: true,
    served: true,
    deprecated: false,
    isStorage: false,
    isInStoredVersions: true,
    stored: 0,
    managed: 0,
    sharesFieldNames: true,
    clients: { known: true, clients: [] },
    ...changes,
  }) as RetirementState;

const statesOf = (changes: Partial<RetirementState>) =>
  Object.fromEntries(
    stepsOf(retirement(changes), { quietMs: 3_600_000, now: NOW }).map(({ name, state }) => [name, state]),
  );

describe('the steps of a retirement', () => {
  it('begin with the storage version, on which the rest depends', () => {
    expect(statesOf({ isStorage: true, stored: 5 })).toMatchObject({
      'switch-storage': 'open',
      migrate: 'blocked',
      prune: 'blocked',
      remove: 'blocked',
    });
  });

  it('continue with the objects, then with storedVersions', () => {
    expect(statesOf({ stored: 5 })).toMatchObject({ migrate: 'open', prune: 'blocked' });
    expect(statesOf({ stored: 0 })).toMatchObject({ migrate: 'done', prune: 'open', remove: 'blocked' });
  });

  it('wait only for clients that were seen recently or are watching', () => {
    const seen = (lastSeen: string, openWatches = 0) =>
      ({ clients: { known: true, clients: [{ ...use, lastSeen, openWatches }] } }) as const;
    expect(statesOf(seen('2026-01-01T23:30:00Z'))['clients']).toBe('blocked');
    expect(statesOf(seen('2026-01-01T20:00:00Z'))['clients']).toBe('done');
    expect(statesOf(seen('2026-01-01T20:00:00Z', 1))['clients']).toBe('blocked');
  });

  it('say whose record of clients it is', () => {
    const step = stepsOf(retirement(), { quietMs: 3_600_000, now: NOW }).find(
      ({ name }) => name === 'clients',
    )!;
    expect(step.notes).toEqual([
      'none was seen within 60 min',
      expect.stringContaining('the record of the server that answered'),
    ]);
  });

  it('cannot know of clients or objects if the server does not report them', () => {
    const unknown = statesOf({ stored: undefined, clients: { known: false, requests: 7 } });
    expect(unknown).toMatchObject({ migrate: 'open', prune: 'blocked', clients: 'blocked' });
  });

  it('are done when the version is removed', () => {
    const gone = statesOf({ defined: false, served: false, isInStoredVersions: false });
    expect(new Set(Object.values(gone))).toEqual(new Set(['done']));
  });
});
