// Objects converted as bytes equal those converted as values, for every lens and object.
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeUtf8, encodeUtf8 } from '@instar/go';
import {
  deepEqual,
  encodeJson,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  parseJson,
  parseYaml,
  SparseReader,
  Splicer,
} from '@instar/machinery';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CompiledLensSet } from '../compiled-lens-set.ts';
import type { LensOp } from '../document.ts';
import { STASH_ANNOTATION } from '../index.ts';
import { parseLens } from '../parse/parse-lens.ts';
import { cases } from '../testing/cases.ts';
import { lensOf, setOf, thing } from '../testing/lens-of.ts';

const asBytes = (lens: CompiledLensSet, text: string, from: string, to: string): string | undefined => {
  const converted = lens.ofBytes(from, to)!.convert(encodeUtf8(text));
  return converted === undefined ? undefined : decodeUtf8(converted);
};

/** Undefined if there is none: a LensError, for one. */
function parsedWay(lens: CompiledLensSet, text: string, to: string): JsonValue | undefined {
  try {
    return parseJson(encodeJson(lens.convert(parseJson(text).value as unknown as KubeObject, to))).value;
  } catch {
    return undefined;
  }
}

/** Whether it was converted as bytes. */
function holds(lens: CompiledLensSet, text: string, from: string, to: string): boolean {
  const converted = asBytes(lens, text, from, to);
  if (converted === undefined) return false;
  const { value, duplicates } = parseJson(converted);
  expect(duplicates).toEqual([]);
  const expected = parsedWay(lens, text, to);
  if (!deepEqual(value, expected)) expect(value).toEqual(expected);
  return true;
}

const names = [
  'a',
  'b',
  'c',
  'old',
  'tls',
  'host',
  'items',
  'm',
  'type',
  'x',
  '__proto__',
  'constructor',
  'é',
  '"',
  '0',
];
const { anything } = fc.letrec<{ anything: JsonValue }>((tie) => ({
  anything: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<JsonValue>(
      null,
      true,
      0,
      1,
      -0.5,
      1e21,
      2 ** 53,
      '',
      'round',
      'a:b',
      '1',
      '\u2028"\\\n',
      '\ud800',
    ),
    fc.array(tie('anything'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('anything'), { maxKeys: 4 }) as fc.Arbitrary<JsonValue>,
  ),
}));
/** A spec that fits the lens; one with something in it that does not; or anything. */
const specOf = (fitting: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonValue> =>
  fc.oneof(
    { weight: 3, arbitrary: fitting as fc.Arbitrary<JsonValue> },
    fc
      .tuple(fitting, fc.constantFrom(...names), anything)
      .map(([spec, name, value]) => ({ ...spec, [name]: value })),
    anything,
  );
const metadata = fc.constantFrom<JsonValue | undefined>(
  { name: 'x', labels: { a: 'b' } },
  { name: 'x', annotations: { a: 'b' } },
  { name: 'x', annotations: { [STASH_ANNOTATION]: '{"s":{}}' } },
  { name: 'x', annotations: null },
  { name: 'x', annotations: ['a'] },
  null,
  undefined,
  'text',
);
const object = (version: string, spec: fc.Arbitrary<JsonValue>): fc.Arbitrary<string> =>
  fc
    .record({
      spec,
      metadata,
      status: fc.option(anything, { nil: undefined }),
      first: fc.boolean(),
      space: fc.constantFrom(0, 0, 0, 1),
    })
    .map(({ spec, metadata, status, first, space }) => {
      const head = { apiVersion: `example.com/${version}`, kind: 'Thing' };
      const rest = { metadata, spec, status };
      return JSON.stringify(first ? { ...head, ...rest } : { ...rest, ...head }, null, space);
    });

describe.each(Object.entries(cases))('%s as bytes', (_, { ops, left, right }) => {
  const lens = lensOf(...ops);

  it.each([
    ['v1', 'v2', left],
    ['v2', 'v1', right],
  ] as const)('is what it is parsed, from %s to %s', (from, to, fitting) => {
    fc.assert(
      fc.property(object(from, specOf(fitting)), (text) => void holds(lens, text, from, to)),
      { numRuns: 200 },
    );
  });
});

it('equals the parsed conversion over several versions, in which values are moved', () => {
  const all = Object.keys(cases);
  const anyCase = fc.constantFrom(...all);
  let converted = 0;
  fc.assert(
    fc.property(anyCase, anyCase, anyCase, fc.infiniteStream(fc.nat()), (a, b, c, seeds) => {
      const lens = setOf(
        { from: 'v1', to: 'v2', ops: cases[a]!.ops },
        { from: 'v2', to: 'v3', ops: cases[b]!.ops },
        { from: 'v3', to: 'v4', ops: cases[c]!.ops },
      );
      const seed = seeds.next().value as number;
      for (const text of fc.sample(object('v1', specOf(cases[a]!.left)), { numRuns: 5, seed }))
        if (holds(lens, text, 'v1', 'v4')) converted++;
      for (const text of fc.sample(object('v4', specOf(cases[c]!.right)), { numRuns: 5, seed }))
        if (holds(lens, text, 'v4', 'v1')) converted++;
    }),
    { numRuns: 300 },
  );
  expect(converted).toBeGreaterThan(300);
});

describe('values that move before they are inspected', () => {
  const chains: LensOp[][] = [
    [{ move: { from: 'spec.a', to: 'spec.b.c' } }, { rename: { from: 'spec.b.c.old', to: 'spec.b.c.x' } }],
    [
      { rename: { from: 'spec.a', to: 'spec.b' } },
      { cast: { path: 'spec.b.x', from: 'string', to: 'integer', otherwise: { forward: 7 } } },
    ],
    [
      { move: { from: 'spec.items', to: 'spec.m.items' } },
      { rename: { from: 'spec.m.items[*].a', to: 'spec.m.items[*].b' } },
    ],
    [{ rename: { from: 'spec.m', to: 'spec.x' } }, { remove: { path: 'spec.x{*}.old' } }],
    [
      { move: { from: 'spec.x', to: 'spec.a.b' } },
      { rename: { from: 'spec.a', to: 'spec.c' } },
      { copy: { from: 'spec.c', to: 'spec.old' } },
    ],
    [
      { rename: { from: 'spec.a', to: 'spec.b' } },
      { rename: { from: 'spec.c', to: 'spec.a' } },
      { rename: { from: 'spec.b', to: 'spec.c' } },
    ],
    [{ rename: { from: 'spec', to: 'settings' } }, { rename: { from: 'settings.a', to: 'settings.b' } }],
  ];

  it.each(chains)('are inspected where they came from (%#)', (...ops) => {
    const lens = lensOf(...ops);
    for (const [from, to] of [
      ['v1', 'v2'],
      ['v2', 'v1'],
    ] as const)
      fc.assert(
        fc.property(object(from, anything), (text) => void holds(lens, text, from, to)),
        { numRuns: 300 },
      );
  });
});

describe('what need not be parsed', () => {
  const simple: Record<string, { op: LensOp; v1: JsonObject; v2: JsonObject }> = {
    rename: {
      op: { rename: { from: 'spec.cronSpec', to: 'spec.schedule' } },
      v1: { cronSpec: '*', x: 1 },
      v2: { x: [2], schedule: '*' },
    },
    move: {
      op: { move: { from: 'spec.a', to: 'spec.b.c' } },
      v1: { a: { x: 1 } },
      v2: { b: { c: {} }, y: 'ä' },
    },
    hoist: { op: { hoist: { from: 'spec.a.b' } }, v1: { a: { b: 1, c: 2 } }, v2: { b: 1, a: { c: 2 } } },
    add: {
      op: { add: { path: 'spec.policy', default: 'Allow' } },
      v1: { x: 1 },
      v2: { policy: 'Allow', x: 1 },
    },
    remove: {
      op: { remove: { path: 'spec.old', default: { a: 1 } } },
      v1: { old: { a: 1 }, x: 1 },
      v2: { x: 1 },
    },
    default: { op: { default: { path: 'spec.n', value: 3 } }, v1: { n: 1 }, v2: { n: 1 } },
    cast: {
      op: { cast: { path: 'spec.n', from: 'string', to: 'integer' } },
      v1: { n: '12', x: {} },
      v2: { n: 12, x: {} },
    },
    split: {
      op: { split: { from: 'spec.hostPort', separator: ':', to: ['spec.host', 'spec.port'] } },
      v1: { hostPort: 'a:1', x: 1 },
      v2: { host: 'a', port: '1' },
    },
    when: {
      op: {
        when: {
          left: { path: 'spec.type', equals: 'round' },
          ops: [{ rename: { from: 'spec.radius', to: 'spec.size' } }],
        },
      },
      v1: { type: 'round', radius: 1 },
      v2: { type: 'round', size: 1 },
    },
    each: {
      op: { rename: { from: 'spec.l[*].a', to: 'spec.l[*].b' } },
      v1: { l: [{ a: 1, x: 1 }, {}] },
      v2: { l: [{ b: 1 }, null] },
    },
  };

  it.each(Object.entries(simple))('%s', (_, { op, v1, v2 }) => {
    const lens = lensOf(op);
    for (const metadata of [{ name: 'x' }, { name: 'x', annotations: { a: 'b' }, labels: {} }]) {
      expect(
        holds(lens, JSON.stringify({ ...thing('v1', v1), metadata, status: { x: [1] } }), 'v1', 'v2'),
      ).toBe(true);
      expect(holds(lens, JSON.stringify({ ...thing('v2', v2), metadata }), 'v2', 'v1')).toBe(true);
    }
  });

  const examples = resolve(dirname(fileURLToPath(import.meta.url)), '../../../../examples');
  const yamlOf = (...path: string[]): JsonObject =>
    parseYaml(readFileSync(join(examples, ...path), 'utf8')).value as JsonObject;

  it.each(['crontab', 'gateway-backendtlspolicy', 'widget'])(
    'is what it is parsed for examples/%s',
    (folder) => {
      const lens = parseLens(yamlOf(folder, 'lens.yaml')).lens!;
      for (const from of lens.versions)
        for (const to of lens.versions) {
          if (from === to) continue;
          const text = JSON.stringify({ ...yamlOf(folder, 'samples', `${from}.yaml`) });
          holds(lens, text, from, to);
        }
    },
  );

  it('distinguishes objects that differ only in what the lens inspects', () => {
    const lens = lensOf({
      map: {
        path: 'spec.size',
        values: [
          { from: 's', to: 1 },
          { from: 'm', to: 2 },
        ],
      },
    });
    for (const size of ['s', 'm', 's', 'm', 's'])
      expect(holds(lens, JSON.stringify(thing('v1', { size, x: size })), 'v1', 'v2')).toBe(true);
    expect(asBytes(lens, JSON.stringify(thing('v1', { size: 'l', x: 's' })), 'v1', 'v2')).toBeUndefined();
  });
});

describe('what has to be parsed', () => {
  const lens = lensOf({ rename: { from: 'spec.a', to: 'spec.b' } }, { remove: { path: 'spec.old' } });
  const text = (spec: JsonObject, more: object = {}): string =>
    JSON.stringify({ ...thing('v1', spec), ...more });

  it.each([
    ['something is kept', text({ old: 1 })],
    ['something was kept', text({}, { metadata: { name: 'x', annotations: { [STASH_ANNOTATION]: '{}' } } })],
    ['the new place is taken', text({ a: 1, b: 2 })],
    ['it has no metadata', text({}, { metadata: undefined })],
    ['its metadata is a list', text({}, { metadata: [] })],
    ['it is of another version', text({}, { apiVersion: 'example.com/v2' })],
    ['it is of another group', text({}, { apiVersion: 'other.com/v1' })],
    ['a key comes twice', text({}).replace('"kind"', '"kind":"A","kind"')],
    ['a key comes twice where nobody looks', text({ x: { y: 1, z: 1 } }).replace('"z"', '"y"')],
    ['it is written otherwise', JSON.stringify(thing('v1', {}), null, 1)],
    ['it is no object', '[]'],
    ['something follows', `${text({})}}`],
    ['it is broken off', text({}).slice(0, -1)],
  ])('because %s', (_, given) => {
    expect(asBytes(lens, given, 'v1', 'v2')).toBeUndefined();
  });
});

describe('a list', () => {
  const lens = lensOf({ rename: { from: 'spec.a', to: 'spec.b' } });
  const list = (...objects: object[]): Uint8Array =>
    encodeUtf8(`${objects.map((one) => JSON.stringify(one)).join()}]`);
  const some = (bytes: Uint8Array, end = bytes.length) => {
    const [reader, out] = [new SparseReader(bytes), new Splicer(bytes)];
    const count = lens.ofBytes('v1', 'v2')!.convertSome(reader, out, 'Thing', end);
    return { count, rest: decodeUtf8(bytes.subarray(reader.at)), out: decodeUtf8(out.bytes()) };
  };
  const [one, two] = [thing('v1', { a: 1, x: 1 }), thing('v1', { a: 'zwei', c: [] })];

  it('is converted as far as possible', () => {
    const converted = [one, two].map((object) => JSON.stringify(lens.convert(object, 'v2'))).join();
    expect(some(list(one, two))).toEqual({ count: 2, rest: ']', out: converted });
    const other = { ...one, kind: 'Other' };
    expect(some(list(one, two, other, one))).toEqual({
      count: 2,
      rest: `,${decodeUtf8(list(other, one))}`,
      out: converted,
    });
    expect(some(list(other, one))).toEqual({ count: 0, rest: decodeUtf8(list(other, one)), out: '' });
    expect(some(list(one, two), 1)).toMatchObject({ count: 1, rest: `,${JSON.stringify(two)}]` });
  });

  it('is left to be parsed if every object has a new outline', () => {
    const casting = lensOf({ cast: { path: 'spec.n', from: 'string', to: 'integer' } }).ofBytes('v1', 'v2')!;
    const counts = Array.from({ length: 100 }, (_, n) => {
      const bytes = list(thing('v1', { n: String(n) }));
      return casting.convertSome(new SparseReader(bytes), new Splicer(bytes), 'Thing', bytes.length);
    });
    expect([counts[0], counts.at(-1)]).toEqual([1, 0]);
  });
});
