import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonInYaml } from './json-in-yaml.ts';
import { parseYaml, parseYamlDocuments } from './parse.ts';

/** As the YAML parser reads it. */
const asYaml = (text: string) => parseYamlDocuments(text)[0]?.value;

describe('JSON that is sent as YAML', () => {
  it('is read as the YAML parser reads it', () => {
    const string = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'a: b',
        '# no comment',
        '- x',
        '&a',
        '*a',
        '!t',
        '%',
        '---',
        '1e3',
        'yes',
        '~',
        '2024-01-01',
        "it's",
        '\\',
        '\u2028',
        '\u0085',
        '\ud800',
      ),
    );
    const number = fc.oneof(
      fc.integer(),
      fc.double({ noDefaultInfinity: true, noNaN: true }),
      fc.maxSafeInteger(),
    );
    const { object } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        string,
        number,
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value')),
        tie('object'),
      ),
      object: fc.dictionary(string, tie('value')),
    }));
    fc.assert(
      fc.property(object, fc.constantFrom(0, 1, 2, '\t', '\r\n'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const json = parseJsonInYaml(text);
        if (json !== undefined) expect(json).toStrictEqual(asYaml(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    '{"a":1e3,"b":1.50,"c":-7,"d":0.1e-2,"e":1E5,"f":0,"g":100000000000000000}',
    '{"a":"\\/\\b\\f\\n\\r\\t\\u00e9\\"\\\\"}',
    '{"a" : [ ] , "b" : { } }\n',
    '{\n"a":\n1,\n"b":\n"c"\n}\n\n',
  ])('reads %j alike', (text) => {
    expect(parseYaml(text).value).toStrictEqual(asYaml(text));
  });

  it.each([
    '{"a":1,"a":2}',
    '{"<<":{"a":1}}',
    '{"a"\n:1}',
    '{"a":\t1}',
    '{"a":"\u0085"}',
    '{"a":"\u2028"}',
    '{"a":"\u007f"}',
    '{"a":12345678901234567890}',
    `{"${'k'.repeat(1_100)}":1}`,
    '{a: 1}',
    '[1]',
    '',
  ])('leaves %j to YAML', (text) => {
    expect(parseJsonInYaml(text)).toBeUndefined();
  });

  it('is read in linear time with many empty lines: quadratic time would exceed the timeout of a test', () => {
    const lines = '\n'.repeat(2_000_000);
    expect(parseJsonInYaml(`{${lines}"a":1}`)).toEqual({ a: 1 });
    expect(parseJsonInYaml(`{"a"${lines} :1}`)).toBeUndefined();
  });
});
