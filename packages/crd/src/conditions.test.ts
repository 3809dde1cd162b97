import { describe, expect, it } from 'vitest';
import { findCondition, isSameCondition, removeCondition, setCondition } from './conditions.ts';
import { definition, establishedDefinition } from './testing/definition.ts';

const LATER = Date.UTC(2025, 5, 1, 12, 0, 0, 987);
const established = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'other words',
} as const;

describe('setCondition', () => {
  it('adds a condition with the time of the change, in whole seconds', () => {
    const crd = definition();
    setCondition(crd, established, LATER);
    expect(crd.status.conditions).toEqual([{ ...established, lastTransitionTime: '2025-06-01T12:00:00Z' }]);
  });

  it('keeps the time of the last transition while the status stays the same', () => {
    const crd = establishedDefinition();
    setCondition(crd, established, LATER);
    expect(findCondition(crd, 'Established')).toEqual({
      ...established,
      lastTransitionTime: '2024-01-01T00:00:00Z',
    });
  });

  it('sets the time when the status changes, or when none was known', () => {
    const crd = establishedDefinition();
    findCondition(crd, 'NamesAccepted')!.lastTransitionTime = null;
    setCondition(crd, { ...established, status: 'False' }, LATER);
    setCondition(crd, { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: '' }, LATER);
    expect(crd.status.conditions?.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual([
      '2025-06-01T12:00:00Z',
      '2025-06-01T12:00:00Z',
    ]);
  });
});

it('removes a condition', () => {
  const crd = establishedDefinition();
  removeCondition(crd, 'NamesAccepted');
  expect(crd.status.conditions?.map(({ type }) => type)).toEqual(['Established']);
});

it('compares conditions without their times', () => {
  const crd = establishedDefinition();
  const found = findCondition(crd, 'Established')!;
  expect(isSameCondition({ ...established, message: found.message! }, found)).toBe(true);
  expect(isSameCondition(established, found)).toBe(false);
  expect(isSameCondition(established, undefined)).toBe(false);
});
