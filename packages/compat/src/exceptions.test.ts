import { describe, expect, it } from 'vitest';
import {
  applyBaseline,
  applyExceptions,
  baselineOf,
  check,
  parseExceptions,
  ruleNamed,
  verdictOf,
} from './index.ts';
import { object, widgets } from './testing/widgets.ts';

const SIZE = { size: { type: 'integer' } };
const findings = check(
  widgets({ v1: { spec: object({ ...SIZE, color: { type: 'string' } }) } }),
  widgets({ v1: { spec: object(SIZE) } }),
);
const exception = {
  rule: 'field-removed',
  path: 'spec.color',
  reason: 'no client used it',
  expires: '2030-01-31',
};
const day = (text: string) => Date.parse(`${text}T12:00:00Z`);

describe('exceptions', () => {
  it('excuse the findings that they match until they expire', () => {
    expect(verdictOf(findings)).toBe('breaking');
    expect(verdictOf(applyExceptions(findings, [exception], day('2030-01-31')).findings)).toBe('compatible');
    const late = applyExceptions(findings, [exception], day('2030-02-01'));
    expect(verdictOf(late.findings)).toBe('breaking');
    expect(late.expired).toEqual([exception]);
  });

  it.each([
    ['everything below', { path: 'spec.*' }, 'compatible'],
    ['another field', { path: 'spec.size' }, 'breaking'],
    ['another version', { version: 'v2' }, 'breaking'],
    ['another definition', { crd: 'gadgets.foomake.io' }, 'breaking'],
  ])('match %s with the verdict of its location', (_, location, verdict) => {
    expect(
      verdictOf(applyExceptions(findings, [{ rule: 'field-removed', reason: 'x', ...location }], 0).findings),
    ).toBe(verdict);
  });

  it('are reported as unused if they match nothing', () => {
    expect(applyExceptions([], [exception], 0).unused).toEqual([exception]);
  });

  it('are refused without a known rule and a reason', () => {
    const { problems } = parseExceptions(
      { exceptions: [{ rule: 'nothing', expires: 'soon', why: 'x' }] },
      (id) => ruleNamed(id) !== undefined,
    );
    expect(problems).toEqual([
      'exceptions[0].why: unknown field',
      'exceptions[0].rule: there is no rule nothing',
      'exceptions[0].reason: required',
      'exceptions[0].expires: must be a date, YYYY-MM-DD',
    ]);
  });
});

describe('a baseline', () => {
  it('does not cover another change that the same rule reports at the same path', () => {
    const shape = (values: string[]) =>
      widgets({ v1: { spec: object({ shape: { type: 'string', enum: values } }) } });
    const baseline = baselineOf(check(shape(['a', 'b', 'c']), shape(['a', 'b'])));
    const verdict = (kept: string[]) =>
      verdictOf(applyBaseline(check(shape(['a', 'b', 'c']), shape(kept)), baseline));
    expect(verdict(['a', 'b'])).toBe('compatible');
    expect(verdict(['a', 'c'])).toBe('breaking');
  });

  it('excuses exactly the findings that it contains', () => {
    const baseline = baselineOf(findings);
    expect(verdictOf(applyBaseline(findings, baseline))).toBe('compatible');
    const more = check(
      widgets({ v1: { spec: object({ ...SIZE, color: { type: 'string' } }) } }),
      widgets({ v1: { spec: object({}) } }),
    );
    expect(
      applyBaseline(more, baseline)
        .filter(({ excused, severity }) => severity === 'breaking' && excused === undefined)
        .map(({ path }) => path),
    ).toEqual(['spec.size']);
  });
});
