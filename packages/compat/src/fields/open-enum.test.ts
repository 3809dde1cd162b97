import { describe, expect, it } from 'vitest';
import { isDeclaredOpen } from './open-enum.ts';

describe('isDeclaredOpen', () => {
  it.each([
    'Note that values may be added to this enum, implementations must ensure that unknown values will not cause a crash.',
    'The shape. More values may be added; an unknown one is reported in the Accepted condition.',
    'New types can be introduced in later releases.',
    'This list of values might grow.',
    'Clients must tolerate unknown values.',
    'The enum is open for changes.',
    'Implementations should be prepared for other values.',
  ])('is true of "%s"', (description) => {
    expect(isDeclaredOpen(description)).toBe(true);
  });

  it.each([
    undefined,
    'The type of the widget: round.',
    'selects an initial set of optional capabilities to enable, which can be extended via additionalEnabledCapabilities. If unset, the cluster will choose a default.',
    'More information may be added to status.',
    'Type of the condition. Other fields can be set too.',
  ])('is false of "%s"', (description) => {
    expect(isDeclaredOpen(description)).toBe(false);
  });
});
