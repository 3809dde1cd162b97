import { describe, expect, it } from 'vitest';
import * as formats from './names.ts';

const LABEL_KEY_FAULT =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

describe('name formats', () => {
  it.each([
    [
      formats.validateDns1123Label,
      ['a', '1-b', 'a'.repeat(63)],
      ['', 'A', '-a', 'a-', 'a_b', 'a.b', 'a'.repeat(64), 'é'],
    ],
    [
      formats.validateDns1123Subdomain,
      ['a.b-c.1', 'a'.repeat(253)],
      ['', '.a', 'a..b', 'A', 'a'.repeat(254), 'a\n'],
    ],
    [formats.validateDns1035Label, ['a-1'], ['1a', 'a-', '']],
    [
      formats.validateQualifiedName,
      ['A_b.c-1', 'a.b/C', `${'a'.repeat(253)}/${'b'.repeat(63)}`],
      ['', 'a/', '/a', 'a/b/c', '-a', 'A/b', 'a'.repeat(64)],
    ],
    [formats.validateLabelValue, ['', 'A-b_c.1', 'a'.repeat(63)], ['-', 'a b', 'a'.repeat(64), 'ā']],
    [formats.validateConfigMapKey, ['a.b', '.a', 'A_b'], ['', '.', '..', '..a', 'a/b', 'a'.repeat(254)]],
  ] as const)('%o', (validate, good, bad) => {
    for (const value of good) expect([value, validate(value)]).toEqual([value, []]);
    for (const value of bad) expect([value, validate(value).length > 0]).toEqual([value, true]);
  });

  it('reports faults in the words of upstream', () => {
    expect(formats.validateQualifiedName('a/b/c')).toEqual([
      `a valid label key ${LABEL_KEY_FAULT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]);
    expect(formats.validateQualifiedName('')).toEqual([
      'name part must be non-empty',
      `name part ${LABEL_KEY_FAULT}`,
    ]);
    expect(formats.validateQualifiedName('k'.repeat(64))).toEqual([
      'name part must be no more than 63 bytes',
    ]);
    expect(formats.validateDns1123Subdomain('n'.repeat(254))).toEqual([
      'must be no more than 253 characters',
    ]);
    expect(formats.validateDns1123Label('a.b')).toEqual(['must not contain dots']);
    expect(formats.validateConfigMapKey('..')).toEqual(["must not be '..'"]);
  });

  it('takes linear time on long values', () => {
    const long = `${'a-'.repeat(200_000)}!`;
    expect(formats.validateDns1123Subdomain(long)).toHaveLength(2);
    expect(formats.validateQualifiedName(`${long}/${long}`)).toHaveLength(4);
  });
});
