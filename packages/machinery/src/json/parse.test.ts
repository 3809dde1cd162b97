import { encodeUtf8 } from '@instar/go';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeJson } from './encode.ts';
import { parseExactly, parseJson, parseJsonInSteps, TooManyMembersError } from './parse.ts';
import { JsonParseError } from './parse-error.ts';

const errorOf = (text: string, parse: (text: string) => unknown = parseJson): string => {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof JsonParseError) return error.message;
  }
  return 'accepted';
};

describe.each([
  ['by way of JSON.parse where it will do', parseJson],
  ['by the exact parser alone', parseExactly],
])('JSON %s', (_, parse) => {
  const parsed = (text: string) => parse(text).value;

  it('agrees with JSON.parse on everything that JSON.stringify writes', () => {
    fc.assert(
      fc.property(
        fc.json(),
        (text) => encodeJson(parsed(text)) === withoutLoneSurrogates(JSON.stringify(JSON.parse(text))),
      ),
    );
  });

  it('agrees with JSON.parse on what is JSON and what is not', () => {
    const nearlyJson = fc.string({ unit: fc.constantFrom(...'{}[]",:0123-+.eE tfnrualsx\\') });
    fc.assert(
      fc.property(nearlyJson, (text) => {
        let expected = true;
        try {
          JSON.parse(text);
        } catch {
          expected = false;
        }
        expect(errorOf(text, parse) === 'accepted').toBe(expected);
      }),
    );
  });

  it('keeps int64 exact but larger integers as floats, as Go does', () => {
    expect(parsed('[9007199254740991,9007199254740993,-9223372036854775808,9223372036854775807]')).toEqual([
      9007199254740991,
      9007199254740993n,
      -(2n ** 63n),
      2n ** 63n - 1n,
    ]);
    expect(parsed('[9223372036854775808,12345678901234567890123]')).toEqual([
      2 ** 63,
      Number(12345678901234567890123n),
    ]);
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        (n) => encodeJson(parsed(`${n}`)) === `${n}`,
      ),
    );
  });

  it('reads fractions, exponents and the negative zero', () => {
    expect(parsed('[1.5,-0.25,1e3,2E-2,-0,100000000000000000000e1]')).toEqual([
      1.5, -0.25, 1000, 0.02, 0, 1e21,
    ]);
  });

  it('treats __proto__ as a key like any other', () => {
    const value = parsed('{"__proto__":{"polluted":1},"constructor":2}') as object;
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect((value as { polluted?: number }).polluted).toBeUndefined();
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('reports each duplicate key once by its path and keeps the last value', () => {
    expect(parse('{"spec":{"size":1,"size":2,"size":3,"rows":[{},{"a":1,"a":2}]},"spec":{"a.b":1}}')).toEqual(
      {
        value: { spec: { 'a.b': 1 } },
        duplicates: [
          'duplicate field "spec.size"',
          'duplicate field "spec.rows[1].a"',
          'duplicate field "spec"',
        ],
      },
    );
    expect(parse('[{"path":1,"path":2}]').duplicates).toEqual(['duplicate field "[0].path"']);
    expect(parse('{"constructor":1,"__proto__":2,"__proto__":3}').duplicates).toEqual([
      'duplicate field "__proto__"',
    ]);
  });

  it('stops counting duplicates at a hundred', () => {
    const members = Array.from({ length: 150 }, (_, i) => `"k${i}":0,"k${i}":1`).join(',');
    expect(parse(`{${members}}`).duplicates).toHaveLength(100);
  });

  it('decodes escapes but replaces lone surrogates', () => {
    expect(parsed('"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud834\\udd1e"')).toBe('"\\/\b\f\n\r\té𝄞');
    expect(parsed('"a\\ud800b\\udc00"')).toBe('a\ufffdb\ufffd');
    expect(parsed('{"a\\u0062":1}')).toEqual({ ab: 1 });
  });

  it.each([
    ['', 'unexpected end of JSON input'],
    ['  ', 'unexpected end of JSON input'],
    ['{', 'unexpected end of JSON input'],
    ['{"a', 'unexpected end of JSON input'],
    ['{"a":1', 'unexpected end of JSON input'],
    ['"\\u12', 'unexpected end of JSON input'],
    ['-', 'unexpected end of JSON input'],
    ['tr', 'unexpected end of JSON input'],
    ['1.', 'unexpected end of JSON input'],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{} x', "invalid character 'x' after top-level value"],
    ['01', "invalid character '1' after top-level value"],
    ['-x', "invalid character 'x' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1ex', "invalid character 'x' in exponent of numeric literal"],
    ['trux', "invalid character 'x' in literal true (expecting 'e')"],
    ['nil', "invalid character 'i' in literal null (expecting 'u')"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
    ['[1e400]', 'json: cannot unmarshal number 1e400 into Go value of type float64'],
    ['[1e400', 'unexpected end of JSON input'],
  ])('says what Go says of %j', (text, message) => {
    expect(errorOf(text, parse)).toBe(message);
  });

  it('limits nesting', () => {
    expect(errorOf('['.repeat(100_000), parse)).toBe("invalid character '[' exceeded max depth");
  });
});

describe('parseJson', () => {
  it('reads bytes as UTF-8', () => {
    expect(parseJson(encodeUtf8('{"é":"日本𝄞"}')).value).toEqual({ é: '日本𝄞' });
  });

  it('limits nesting to maxDepth', () => {
    expect(() => parseJson('[[[]]]', { maxDepth: 2 })).toThrow('exceeded max depth');
    expect(parseJson('[[[]]]', { maxDepth: 3 }).value).toEqual([[[]]]);
  });

  it('returns what the exact parser returns, whichever of the two reads it', () => {
    const key = fc.constantFrom('a', 'b', '__proto__', '1', 'q"\\', 'c:');
    const scalar = fc.constantFrom(
      '0',
      '-0',
      '-0.0',
      '1e3',
      '1e400',
      '9007199254740993',
      '-9007199254740992',
      '12345678901234567890',
      '""',
      '":"',
    );
    const text = fc.oneof(
      scalar,
      fc.json(),
      fc.string().map((s) => JSON.stringify(s)),
      fc.constantFrom('"\\"', '"\\""', '"\ud800"', '"\\ud800"'),
    );
    const member = fc
      .tuple(key, text, fc.constantFrom('', ' ', '\n'))
      .map(([k, v, space]) => `${JSON.stringify(k)}${space}:${space}${v}`);
    const document = fc
      .array(
        fc.oneof(
          text,
          fc.array(member).map((members) => `{${members.join(',')}}`),
        ),
      )
      .map((items) => `[${items.join(' ,')}]`);
    fc.assert(
      fc.property(document, (json) => {
        const error = errorOf(json, parseExactly);
        expect(errorOf(json)).toBe(error);
        if (error === 'accepted') expect(parseJson(json)).toStrictEqual(parseExactly(json));
      }),
    );
  });
});

/** JSON.parse keeps lone surrogates; Go does not. */
function withoutLoneSurrogates(text: string): string {
  return text.replace(/\\ud[89a-f][0-9a-f]{2}/g, '\ufffd');
}

describe('a long text', () => {
  const noPause = async () => {};
  const outcomeOf = async (parse: () => unknown) => {
    try {
      return await parse();
    } catch (error) {
      return error instanceof JsonParseError ? [error.message, error.kind, error.offset] : error;
    }
  };

  it('is read as a short one is, or refused for the same reason', async () => {
    const damaged = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', ',', '}', ']', '{', ':', '-', '1e999', '\\u', 'x'))
      .map(([text, at, noise]) => text.slice(0, at % (text.length + 1)) + noise + text.slice(at % 7));
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), damaged), async (text) => {
        // White space, so that steps end everywhere in it.
        const long = text.replace(/([,:[{])(?=[^"]*(?:"[^"]*"[^"]*)*$)/g, `$1${' '.repeat(5000)}`);
        expect(await outcomeOf(() => parseJsonInSteps(long, noPause))).toEqual(
          await outcomeOf(() => parseExactly(long)),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('is read with a pause every few thousand characters, however it is structured', async () => {
    const length = 1_000_000;
    for (const text of [
      `[${'[],'.repeat(length / 3)}1]`,
      `{${'"a":1,'.repeat(length / 6)}"a":1}`,
      `[${'"abcdefgh",'.repeat(length / 11)}1]`,
    ]) {
      let pauses = 0;
      await parseJsonInSteps(text, async () => {
        pauses++;
      });
      expect(pauses).toBeGreaterThan(50);
    }
  });

  it('may not have an object with so many members that listing its keys takes long', async () => {
    const members = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',');
    const parse = (text: string) => parseJsonInSteps(text, noPause);
    expect((await parse(`[{${members(50_000)}},{${members(50_000)}}]`)).duplicates).toEqual([]);
    await expect(parse(`{"a":{${members(50_001)}}}`)).rejects.toThrow(
      new TooManyMembersError('an object has more than 50000 fields'),
    );
  });

  it('may repeat one member as often as it likes', async () => {
    const { value, duplicates } = await parseJsonInSteps(`{${'"a":1,'.repeat(60_000)}"a":2}`, noPause);
    expect([value, duplicates]).toEqual([{ a: 2 }, ['duplicate field "a"']]);
  });
});
