import { describe, expect, it } from 'vitest';
import { type CompileError, compile } from '../compile.ts';
import { kubernetesEnvironment } from './environment.ts';

function fault(expression: string): string | undefined {
  try {
    compile(expression, kubernetesEnvironment());
    return undefined;
  } catch (error) {
    return (error as CompileError).issues.map((issue) => issue.message).join('; ');
  }
}

describe('literals of format()', () => {
  it.each([
    '"%s %d %.2f %e %x %X %o %b %%".format(["a", 1, 1.0, 2.0, 3, b"x", 4, true])',
    '"%s".format([[1, {"a": null}]])',
    '"%d".format([dyn("x")])',
    '"%f".format(["NaN"])',
    '"%d".format(["a"].map(x, 1))',
    '"plain".format([])',
  ])('accept %s', (expression) => expect(fault(expression)).toBe(undefined));

  it.each([
    [
      '"%d".format(["x"])',
      'error during formatting: decimal clause can only be used on integers, was given string',
    ],
    ['"%d %d".format([1])', 'index 1 out of range'],
    ['"%d".format([1, 2])', 'too many arguments supplied to string.format (expected 1, got 2)'],
    ['"%q".format([1])', 'could not parse formatting clause: unrecognized formatting clause "q"'],
    ['"100%".format([1])', 'unexpected end of string'],
    [
      '"%.".format([1.0])',
      'could not parse formatting clause: error while parsing precision: could not find end of precision specifier',
    ],
    [
      '"%f".format([1])',
      'error during formatting: fixed-point clause can only be used on doubles, was given int',
    ],
    [
      '"%s".format([[ip("::1")]])',
      'error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given net.IP',
    ],
  ])('are refused in %s', (expression, message) => expect(fault(expression)).toBe(message));
});
