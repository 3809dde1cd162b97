import { decodeUtf8, encodeUtf8 } from '@instar/go';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../json-value.ts';
import { Opaque, OpaqueMembers, Outline, sparseValue } from './outline.ts';
import { type Sight, SightOfNames, SparseReader, UNSEEN, WHOLE } from './sparse.ts';
import { Recipe, Splicer } from './splice.ts';

const names = (sights: Record<string, Sight>): Sight => ({
  ...WHOLE,
  names: new SightOfNames(Object.entries(sights)),
});
const values = (sight: Sight): Sight => ({ ...WHOLE, values: sight });
const items = (sight: Sight): Sight => ({ ...WHOLE, items: sight });

function read(text: string, sight: Sight): SparseReader {
  const reader = new SparseReader(encodeUtf8(text));
  if (!reader.read(sight)) throw new Error('refused');
  return reader;
}

/** What was read, written again. */
function again(reader: SparseReader, sight: Sight): string {
  const out = new Splicer(reader.bytes);
  out.splice(new Recipe(sparseValue(reader, sight)), reader.places);
  return decodeUtf8(out.bytes());
}

const key = fc.constantFrom('a', 'b', 'c', 'ä', '__proto__', 'constructor', '0');
const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<JsonValue>(null, true, 0, -1.5, '', 'text "in" quotes', 'ä€😀'),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(key, tie('json'), { maxKeys: 4 }) as fc.Arbitrary<JsonValue>,
  ),
}));
const { sight } = fc.letrec<{ sight: Sight }>((tie) => ({
  sight: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(WHOLE, UNSEEN),
    tie('sight').map(values),
    tie('sight').map(items),
    fc
      .record({ a: tie('sight'), b: tie('sight'), ä: tie('sight') }, { requiredKeys: [] })
      .map((sights) => names(sights)),
  ),
}));

describe('reading with a sight', () => {
  it('makes values of what is seen and places of the rest', () => {
    const seen = names({ a: WHOLE, b: UNSEEN, c: names({ d: UNSEEN }), e: UNSEEN });
    const reader = read('{"x":1,"y":[2],"a":{"k":[1]},"b":"text","z":0,"c":[7],"e":null}', seen);
    const value = sparseValue(reader, seen) as Record<string, unknown>;
    expect(Object.values(value)).toEqual([
      new OpaqueMembers(0),
      { k: [1] },
      new Opaque(2),
      new OpaqueMembers(3),
      [7],
      null,
    ]);
    expect(Object.keys(value).filter((name) => !name.startsWith('"'))).toEqual(['a', 'b', 'c', 'e']);
  });

  it('loses nothing, however far one looks', () => {
    fc.assert(
      fc.property(json, sight, (value, seen) => {
        expect(JSON.parse(again(read(JSON.stringify(value), seen), seen))).toEqual(
          JSON.parse(JSON.stringify(value)),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('refuses what would be read otherwise, seen or not, and stays where it was', () => {
    for (const text of [
      '{"a":1,"a":2}',
      '{"a":{"b":1,"b":1}}',
      '{"x":1e400}',
      '{"a" :1}',
      '{"a":[1,]}',
      '{"a":1',
      '[{}',
      '{"x":"\\u0041"}',
    ]) {
      for (const seen of [
        UNSEEN,
        WHOLE,
        names({ a: names({ b: UNSEEN }) }),
        values(UNSEEN),
        items(values(UNSEEN)),
      ]) {
        const reader = new SparseReader(encodeUtf8(`,${text}`), 1);
        expect([text, reader.read(seen) && reader.at === reader.bytes.length, reader.at]).toEqual([
          text,
          false,
          1,
        ]);
      }
    }
  });
});

describe('an outline', () => {
  const seen = names({ kind: WHOLE, spec: names({ a: UNSEEN }), map: values(UNSEEN) });
  const outline = new Outline(read('{"kind":"A","x":1,"spec":{"a":1,"b":2}}', seen));

  it.each([
    ['other values that nobody sees', '{"kind":"A","y":[1,2,3],"spec":{"a":"long text","c":{},"d":1}}', true],
    ['another value that is seen', '{"kind":"B","x":1,"spec":{"a":1,"b":2}}', false],
    ['null', '{"kind":"A","x":1,"spec":{"a":null,"b":2}}', false],
    ['something that is missing', '{"kind":"A","spec":{"a":1,"b":2}}', false],
    ['another order', '{"kind":"A","x":1,"spec":{"b":2,"a":1}}', false],
    ['something else where one looks', '{"kind":"A","x":1,"spec":[]}', false],
    ['names that are seen', '{"kind":"A","x":1,"spec":{"a":1,"b":2},"map":{"k":1}}', false],
  ])('with %s', (_, text, isSame) => {
    expect(outline.isThatOf(read(text, seen))).toBe(isSame);
  });

  it('serves all values that have it', () => {
    const twin = fc.record({
      kind: fc.constantFrom('A', 'B'),
      spec: fc.record({ a: json, b: json }, { requiredKeys: [] }),
      x: json,
    });
    fc.assert(
      fc.property(twin, twin, (one, other) => {
        const [first, second] = [read(JSON.stringify(one), seen), read(JSON.stringify(other), seen)];
        if (!new Outline(first).isThatOf(second)) return;
        const out = new Splicer(second.bytes);
        out.splice(new Recipe(sparseValue(first, seen)), second.places);
        expect(decodeUtf8(out.bytes())).toBe(JSON.stringify(other));
      }),
    );
  });
});

it('an outline does not change with the memory that it was read from', () => {
  const bytes = Buffer.from('{"kind":"A","spec":1}');
  const sight = names({ kind: WHOLE, spec: UNSEEN });
  const reader = new SparseReader(bytes);
  reader.read(sight);
  const outline = new Outline(reader);
  bytes.write('B', bytes.indexOf('A'));
  expect(outline.isThatOf(read('{"kind":"A","spec":2}', sight))).toBe(true);
  expect(outline.isThatOf(read('{"kind":"B","spec":2}', sight))).toBe(false);
});

describe('splicing', () => {
  it('writes more than its source, and text that is not ASCII', () => {
    const reader = read('{"a":"ä"}', names({ a: UNSEEN }));
    const { a } = sparseValue(reader, names({ a: UNSEEN })) as Record<string, JsonValue>;
    const out = new Splicer(reader.bytes);
    const long = 'ö'.repeat(10_000);
    out.splice(new Recipe([a!, long, { ä: a!, 'quote"': 2n ** 60n }, a!]), reader.places);
    expect(decodeUtf8(out.bytes())).toBe(`["ä","${long}",{"ä":"ä","quote\\"":1152921504606846976},"ä"]`);
  });
});
