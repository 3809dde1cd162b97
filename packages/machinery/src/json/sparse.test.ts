import { decodeUtf8, encodeUtf8 } from '@instar/go';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../json-value.ts';
import { OpaqueMembers, OpaqueValue, Outline, sparseValue } from './outline.ts';
import { MemberProjection, OPAQUE, type Projection, SparseReader, WHOLE } from './sparse.ts';
import { Recipe, Splicer } from './splice.ts';

const names = (projections: Record<string, Projection>): Projection => ({
  ...WHOLE,
  names: new MemberProjection(Object.entries(projections)),
});
const values = (projection: Projection): Projection => ({ ...WHOLE, values: projection });
const items = (projection: Projection): Projection => ({ ...WHOLE, items: projection });

function read(text: string, projection: Projection): SparseReader {
  const reader = new SparseReader(encodeUtf8(text));
  if (!reader.read(projection)) throw new Error('refused');
  return reader;
}

/** Writes what was read. */
function written(reader: SparseReader, projection: Projection): string {
  const out = new Splicer(reader.bytes);
  out.splice(new Recipe(sparseValue(reader, projection)), reader.ranges);
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
const { projection } = fc.letrec<{ projection: Projection }>((tie) => ({
  projection: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(WHOLE, OPAQUE),
    tie('projection').map(values),
    tie('projection').map(items),
    fc
      .record({ a: tie('projection'), b: tie('projection'), ä: tie('projection') }, { requiredKeys: [] })
      .map((projections) => names(projections)),
  ),
}));

describe('reading with a projection', () => {
  it('returns values for what is read and slots for the rest', () => {
    const seen = names({ a: WHOLE, b: OPAQUE, c: names({ d: OPAQUE }), e: OPAQUE });
    const reader = read('{"x":1,"y":[2],"a":{"k":[1]},"b":"text","z":0,"c":[7],"e":null}', seen);
    const value = sparseValue(reader, seen) as Record<string, unknown>;
    expect(Object.values(value)).toEqual([
      new OpaqueMembers(0),
      { k: [1] },
      new OpaqueValue(2),
      new OpaqueMembers(3),
      [7],
      null,
    ]);
    expect(Object.keys(value).filter((name) => !name.startsWith('"'))).toEqual(['a', 'b', 'c', 'e']);
  });

  it('loses nothing, whatever the projection', () => {
    fc.assert(
      fc.property(json, projection, (value, seen) => {
        expect(JSON.parse(written(read(JSON.stringify(value), seen), seen))).toEqual(
          JSON.parse(JSON.stringify(value)),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('refuses what a parser would read differently, without moving', () => {
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
        OPAQUE,
        WHOLE,
        names({ a: names({ b: OPAQUE }) }),
        values(OPAQUE),
        items(values(OPAQUE)),
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
  const seen = names({ kind: WHOLE, spec: names({ a: OPAQUE }), map: values(OPAQUE) });
  const outline = new Outline(read('{"kind":"A","x":1,"spec":{"a":1,"b":2}}', seen));

  it.each([
    ['other opaque values', '{"kind":"A","y":[1,2,3],"spec":{"a":"long text","c":{},"d":1}}', true],
    ['another value that is seen', '{"kind":"B","x":1,"spec":{"a":1,"b":2}}', false],
    ['null', '{"kind":"A","x":1,"spec":{"a":null,"b":2}}', false],
    ['something that is missing', '{"kind":"A","spec":{"a":1,"b":2}}', false],
    ['another order', '{"kind":"A","x":1,"spec":{"b":2,"a":1}}', false],
    ['something else where one looks', '{"kind":"A","x":1,"spec":[]}', false],
    ['names that are seen', '{"kind":"A","x":1,"spec":{"a":1,"b":2},"map":{"k":1}}', false],
  ])('with %s', (_, text, isSame) => {
    expect(outline.matches(read(text, seen))).toBe(isSame);
  });

  it('fits all values that have it', () => {
    const twin = fc.record({
      kind: fc.constantFrom('A', 'B'),
      spec: fc.record({ a: json, b: json }, { requiredKeys: [] }),
      x: json,
    });
    fc.assert(
      fc.property(twin, twin, (one, other) => {
        const [first, second] = [read(JSON.stringify(one), seen), read(JSON.stringify(other), seen)];
        if (!new Outline(first).matches(second)) return;
        const out = new Splicer(second.bytes);
        out.splice(new Recipe(sparseValue(first, seen)), second.ranges);
        expect(decodeUtf8(out.bytes())).toBe(JSON.stringify(other));
      }),
    );
  });
});

it('an outline does not change with the memory that it was read from', () => {
  const bytes = Buffer.from('{"kind":"A","spec":1}');
  const projection = names({ kind: WHOLE, spec: OPAQUE });
  const reader = new SparseReader(bytes);
  reader.read(projection);
  const outline = new Outline(reader);
  bytes.write('B', bytes.indexOf('A'));
  expect(outline.matches(read('{"kind":"A","spec":2}', projection))).toBe(true);
  expect(outline.matches(read('{"kind":"B","spec":2}', projection))).toBe(false);
});

describe('splicing', () => {
  it('can write more than its source, also text that is not ASCII', () => {
    const reader = read('{"a":"ä"}', names({ a: OPAQUE }));
    const { a } = sparseValue(reader, names({ a: OPAQUE })) as Record<string, JsonValue>;
    const out = new Splicer(reader.bytes);
    const long = 'ö'.repeat(10_000);
    out.splice(new Recipe([a!, long, { ä: a!, 'quote"': 2n ** 60n }, a!]), reader.ranges);
    expect(decodeUtf8(out.bytes())).toBe(`["ä","${long}",{"ä":"ä","quote\\"":1152921504606846976},"ä"]`);
  });
});
