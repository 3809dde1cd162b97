import { describe, expect, it } from 'vitest';
import { compileDeviceSelector } from './device-selector.ts';

const all = (list: string, inner: string): string => `${list}.all(x, ${inner})`;

describe('selectors of devices', () => {
  it.each([
    'device.driver == "gpu.example.com" && device.allowMultipleAllocations',
    'device.attributes["a.example.com"].model == "x"',
    'device.attributes["a.example.com"].isGood',
    'device.capacity["a.example.com"].memory.compareTo(quantity("1Gi")) >= 0',
    'cel.bind(dra, device.attributes["a.example.com"], dra.one && dra.other)',
  ])('compile: %s', (text) => {
    const { error, maxCost } = compileDeviceSelector(text);
    expect(error).toBeUndefined();
    expect(maxCost).toBeLessThan(1_000_000);
  });

  it.each([
    ['device.driver', 'must evaluate to bool or the unknown type, not string'],
    ['device.nothing', "compilation failed: ERROR: <input>:1:7: undefined field 'nothing'"],
    ['object.a', "compilation failed: ERROR: <input>:1:1: undeclared reference to 'object'"],
  ])('are refused: %s', (text, expected) => {
    expect(compileDeviceSelector(text).error).toContain(expected);
  });

  it('may be too expensive', () => {
    const { maxCost } = compileDeviceSelector(
      all(
        'device.attributes',
        all('device.attributes', all('device.attributes', all('device.attributes', 'true'))),
      ),
    );
    expect(maxCost).toBeGreaterThan(1_000_000);
  });
});
