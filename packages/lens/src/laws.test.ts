// The laws of lenses, for every operation: round trips both ways, edits arrive, nothing is mutated, metadata
// is untouched.
import {
  deepCopy,
  deepEqual,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  parseJson,
} from '@instar/machinery';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LensOp } from './document.ts';
import { parseLens, STASH_ANNOTATION } from './index.ts';
import type { LensSet } from './lens-set.ts';
import { cases } from './testing/cases.ts';

function lensOf(...steps: LensOp[][]): LensSet {
  const lenses = steps.map((ops, i) => ({ from: `v${i + 1}`, to: `v${i + 2}`, ops }));
  const { lens, errors } = parseLens({
    apiVersion: 'instar.dev/v1alpha1',
    kind: 'Lens',
    metadata: { name: 'things.example.com' },
    spec: { crd: 'things.example.com', lenses },
  });
  if (lens === undefined) throw new Error(JSON.stringify(errors));
  return lens;
}

const v = (n: number, spec: JsonObject): KubeObject => ({
  apiVersion: `example.com/v${n}`,
  kind: 'Thing',
  metadata: { name: 'x', labels: { a: 'b' } },
  spec,
});

const sizes = { numRuns: 60 };

/** Vitest's own equality would take most of the time. */
function same(actual: unknown, expected: unknown): void {
  if (!deepEqual(actual as JsonValue, expected as JsonValue)) expect(actual).toEqual(expected);
}

function roundTrip(lens: LensSet, object: KubeObject, to: string): void {
  const before = deepCopy(object as unknown as JsonObject);
  const there = lens.convert(object, to);
  const back = lens.convert(there, object.apiVersion);
  same(object, before);
  same(back, object);
  same(lens.convert(object, to), there);
  same(lens.convert(back, to), there);
  expect(lens.convert(there, to)).toBe(there);
  const { [STASH_ANNOTATION]: _, ...annotations } = there.metadata.annotations ?? {};
  same({ ...there.metadata, annotations }, { ...object.metadata, annotations: {} });
}

/** A client replaces the object in the other version; its values arrive, whatever had been stashed. */
function putGet(lens: LensSet, object: KubeObject, written: KubeObject): void {
  const there = lens.convert(object, written.apiVersion);
  const edited = { ...there, spec: written['spec'] };
  const back = lens.convert(edited, object.apiVersion);
  same(withoutStash(lens.convert(back, written.apiVersion)), withoutStash(edited));
}

function withoutStash(object: KubeObject): unknown {
  return { ...object, metadata: { ...object.metadata, annotations: {} } };
}

describe.each(Object.entries(cases))('%s', (_, { ops, left, right }) => {
  const lens = lensOf(ops);

  it('survives a round trip from the new version', () => {
    fc.assert(
      fc.property(left, (spec) => roundTrip(lens, v(1, spec), 'v2')),
      sizes,
    );
  });

  it('survives a round trip from the old version', () => {
    fc.assert(
      fc.property(right, (spec) => roundTrip(lens, v(2, spec), 'v1')),
      sizes,
    );
  });

  it('carries over what is written in the other version', () => {
    fc.assert(
      fc.property(left, right, (a, b) => putGet(lens, v(1, a), v(2, b))),
      sizes,
    );
    fc.assert(
      fc.property(left, right, (a, b) => putGet(lens, v(2, b), v(1, a))),
      sizes,
    );
  });

  it('is not affected by edits elsewhere', () => {
    const elsewhere = (n: number, to: string) => (spec: JsonObject) => {
      const object = v(n, spec);
      const there = lens.convert(object, to);
      const edited = {
        ...there,
        spec: { ...(there['spec'] as JsonObject), elsewhere: 'new' },
        status: { seen: true },
      };
      same(lens.convert(edited, object.apiVersion), {
        ...object,
        spec: { ...spec, elsewhere: 'new' },
        status: { seen: true },
      });
    };
    fc.assert(fc.property(left, elsewhere(1, 'v2')), sizes);
    fc.assert(fc.property(right, elsewhere(2, 'v1')), sizes);
  });
});

describe('consecutive lenses', () => {
  const names = Object.keys(cases);

  it('survive a round trip over several versions', () => {
    const some = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names), fc.constantFrom(...names));
    fc.assert(
      fc.property(some, fc.context(), fc.infiniteStream(fc.nat()), ([a, b, c], context, seeds) => {
        const left = cases[a]!.left;
        const lens = lensOf(cases[a]!.ops, cases[b]!.ops, cases[c]!.ops);
        const [spec] = fc.sample(left, { numRuns: 1, seed: seeds.next().value as number });
        context.log(JSON.stringify(spec));
        let through: KubeObject;
        try {
          through = lens.convert(v(1, spec!), 'v4');
        } catch {
          return; // Operations that were not made for one another may refuse each other's values.
        }
        same(lens.convert(through, 'v1'), v(1, spec!));
        same(lens.convert(lens.convert(lens.convert(through, 'v3'), 'v2'), 'v1'), v(1, spec!));
      }),
      { numRuns: 200 },
    );
  });
});

describe('equality', () => {
  it('of what is stashed survives any JSON', () => {
    const lens = lensOf([{ remove: { path: 'spec.x' } }]);
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (x) => {
        const object = v(1, { x: parseJson(JSON.stringify(x)).value });
        const back = lens.convert(lens.convert(object, 'v2'), 'v1');
        expect(deepEqual(back as unknown as JsonObject, object as unknown as JsonObject)).toBe(true);
      }),
      sizes,
    );
  });
});
