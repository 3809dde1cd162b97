// The laws of ownership, for generated configurations.
import { ApiError, type JsonObject, type JsonValue, type KubeObject } from '@instar/machinery';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hasPath } from '../fieldset/field-set.ts';
import { difference, union } from '../fieldset/operations.ts';
import { pathsOf } from '../fieldset/paths.ts';
import { make, V1, V2, versions, World, widgetType } from '../testing/widget.ts';
import { toFieldSet } from '../typed/to-field-set.ts';
import { applyManaged } from './apply.ts';
import { stripNeverOwned } from './strip.ts';

const word = fc.constantFrom('a', 'b', 'c');
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const subset = (items: fc.Arbitrary<string>) => fc.uniqueArray(items, { maxLength: 3 });
const anything = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    word,
    fc.integer(),
    fc.constant(null),
    fc.array(word, { maxLength: 2 }),
    fc.dictionary(word, tie('value'), { maxKeys: 3 }),
  ),
})).value;

/**
 * Keys and ports per manager, so that two may have none in common. No map is empty: an empty map is a field
 * itself, and the same for all.
 */
const specs = (prefix: string, base: number) => {
  const key = word.map((w) => prefix + w);
  const port = fc.record(
    {
      port: fc.integer({ min: base, max: base + 3 }),
      protocol: fc.constantFrom('TCP', 'UDP'),
      name: word,
      extra: fc.record({ a: word, b: word }, { requiredKeys: [] }),
    },
    { requiredKeys: ['port'] },
  );
  return {
    words: subset(key),
    ports: fc.uniqueArray(port, { maxLength: 3, selector: (p) => `${p.port} ${p.protocol ?? 'TCP'}` }),
    any: fc.dictionary(key, anything, { minKeys: 1, maxKeys: 3 }),
    fields: fc.dictionary(key, word, { minKeys: 1, maxKeys: 3 }),
    objects: fc.dictionary(key, fc.record({ a: word, b: word }, { requiredKeys: [] }), {
      minKeys: 1,
      maxKeys: 3,
    }),
  };
};
const own = {
  image: word,
  replicas: fc.integer({ min: 0, max: 3 }),
  tags: fc.array(word, { maxLength: 3 }),
  untyped: anything,
  either: fc.oneof(word, fc.integer()),
  atomic: fc.dictionary(word, word, { maxKeys: 2 }),
  deep: fc.record(
    { a: word, b: word, deeper: fc.record({ c: word }, { requiredKeys: [] }) },
    { requiredKeys: [] },
  ),
};
const plain = (spec: object): JsonObject => JSON.parse(JSON.stringify(spec)) as JsonObject;
const spec = fc.record({ ...specs('', 0), ...own }, { requiredKeys: [] }).map(plain);
const labels = optional(fc.dictionary(word, word, { maxKeys: 2 }));
const config = fc.tuple(spec, labels).map(([s, l]) => make(s, l === undefined ? {} : { labels: l }));
const history = fc.array(fc.tuple(fc.constantFrom('alpha', 'beta', 'gamma'), fc.boolean(), config), {
  maxLength: 5,
});

function lived(steps: [string, boolean, KubeObject][]): World {
  const world = new World();
  for (const [manager, isApply, object] of steps) {
    if (isApply) world.apply(manager, object, { force: true });
    else world.update(manager, object);
  }
  return world;
}

const ownedBy = (world: World, key: string) => (world.owners[key] ?? {}) as ReturnType<typeof toFieldSet>;

it('applying twice is a no-op', () => {
  fc.assert(
    fc.property(history, config, (steps, object) => {
      const world = lived(steps);
      world.apply('m', object, { force: true });
      const once = world.live;
      expect(world.apply('m', object)).toBe(false);
      expect(world.live).toEqual(once);
    }),
  );
});

it('two managers with disjoint fields do not affect each other', () => {
  const mine = fc.record(specs('m', 0), { requiredKeys: [] }).map(plain);
  const theirs = fc.record({ ...specs('t', 100), ...own }, { requiredKeys: [] }).map(plain);
  fc.assert(
    fc.property(
      fc.array(mine, { minLength: 1, maxLength: 3 }),
      fc.array(theirs, { minLength: 1, maxLength: 3 }),
      (a, b) => {
        const world = new World();
        for (let i = 0; i < Math.max(a.length, b.length); i++) {
          if (a[i] !== undefined) world.apply('mine', make(a[i]));
          if (b[i] !== undefined) world.apply('theirs', make(b[i]));
        }
        const held = toFieldSet(world.live as unknown as JsonObject, widgetType);
        for (const last of [a.at(-1)!, b.at(-1)!]) {
          const set = toFieldSet(make(last) as unknown as JsonObject, widgetType);
          // An object that is set empty no longer counts when another manager fills it.
          expect(pathsOf(difference(set, held)).filter((path) => path.length > 2)).toEqual([]);
        }
      },
    ),
  );
});

it('a forced apply owns exactly what it sent', () => {
  fc.assert(
    fc.property(history, config, (steps, object) => {
      const world = lived(steps);
      world.apply('m', object, { force: true });
      expect(ownedBy(world, 'm Apply v1')).toEqual(
        stripNeverOwned(toFieldSet(object as unknown as JsonObject, widgetType)),
      );
    }),
  );
});

it('what a forced apply changed has no other owner', () => {
  fc.assert(
    fc.property(history, config, (steps, object) => {
      const world = lived(steps);
      const before = world.live;
      world.apply('m', object, { force: true });
      const image = (object['spec'] as JsonObject)['image'];
      if (image === undefined || (before?.['spec'] as JsonObject | undefined)?.['image'] === image) return;
      const holders = Object.values(world.owners).filter((set) =>
        hasPath(set as never, ['f:spec', 'f:image']),
      );
      expect(holders).toHaveLength(1);
    }),
  );
});

it('what a manager drops is removed if it has no other owner', () => {
  fc.assert(
    fc.property(history, config, config, (steps, first, second) => {
      const world = lived(steps);
      world.apply('m', first, { force: true });
      const before = world.live!;
      world.apply('m', second, { force: true });
      const dropped = difference(
        ownedByIn(before, 'm'),
        toFieldSet(second as unknown as JsonObject, widgetType),
      );
      const others = Object.values(world.owners).reduce<ReturnType<typeof toFieldSet>>(
        (all, set) => union(all, set as never),
        {},
      );
      const held = toFieldSet(world.live as unknown as JsonObject, widgetType);
      for (const path of pathsOf(difference(dropped, others)))
        if (!hasBelow(others, path)) expect(hasPath(held, path)).toBe(false);
    }),
  );
});

const ownedByIn = (object: KubeObject, manager: string) =>
  (object.metadata.managedFields?.find((e) => e.manager === manager && e.operation === 'Apply')?.fieldsV1 ??
    {}) as ReturnType<typeof toFieldSet>;

const hasBelow = (set: ReturnType<typeof toFieldSet>, path: readonly string[]): boolean =>
  pathsOf(set).some((p) => p.length > path.length && path.every((element, i) => element === p[i]));

it('ownership survives a round trip through versions: owned fields and conflicts are the same as in one', () => {
  // v2 calls the image a note.
  const convert = (object: JsonObject, apiVersion: string): JsonObject => {
    const [from, to] = apiVersion === V2 ? (['image', 'note'] as const) : (['note', 'image'] as const);
    if (object['spec'] === undefined) return { ...object, apiVersion };
    const { [from]: value, ...rest } = object['spec'] as JsonObject;
    return { ...object, apiVersion, spec: value === undefined ? rest : { ...rest, [to]: value } };
  };
  const inVersion = (object: KubeObject, version: string) =>
    object.apiVersion === version
      ? object
      : (convert(object as unknown as JsonObject, version) as unknown as KubeObject);
  const told = (steps: [string, boolean, KubeObject][], versionOf: (step: number) => string) => {
    let live: KubeObject | undefined;
    const disputes: unknown[] = [];
    steps.forEach(([manager, force, object], i) => {
      const apiVersion = versionOf(i);
      const input = { kind: 'Widget', now: '2026-01-01T00:00:00Z', versions, manager, apiVersion, force };
      const result = applyManaged(
        { ...input, live: live && inVersion(live, apiVersion), applied: inVersion(object, apiVersion) },
        convert,
      );
      if ('conflicts' in result) disputes.push([i, result.conflicts.map((c) => c.owner.manager)]);
      else live = { ...result.object, metadata: { ...result.object.metadata, uid: 'u' } };
    });
    const asV1 = live && inVersion(live, V1);
    const sets = Object.fromEntries(
      (asV1?.metadata.managedFields ?? []).map((e) => [e.manager, paths(e.fieldsV1 as never, e.apiVersion!)]),
    );
    return { spec: asV1?.['spec'], disputes, sets };
  };
  const paths = (set: ReturnType<typeof toFieldSet>, version: string) =>
    pathsOf(set)
      .map((path) => path.join(' '))
      .map((path) => (version === V2 && path === 'f:spec f:note' ? 'f:spec f:image' : path))
      .sort();
  fc.assert(
    fc.property(history, fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }), (steps, second) => {
      expect(told(steps, (i) => (second[i] ? V2 : V1))).toEqual(told(steps, () => V1));
    }),
  );
});

it('a write is never refused, whatever the live object is', () => {
  fc.assert(
    fc.property(
      history,
      fc.dictionary(fc.constantFrom('image', 'ports', 'words', 'any', 'deep', 'extra'), anything),
      (steps, odd) => {
        const world = lived(steps);
        expect(() => world.update('m', make(odd))).not.toThrow();
        expect(() => world.update('m', make({ image: 'x' }))).not.toThrow();
      },
    ),
  );
});

it('an apply fails with a Status or not at all', () => {
  fc.assert(
    fc.property(
      history,
      fc.dictionary(fc.constantFrom('image', 'ports', 'words', 'any', 'deep', 'extra'), anything),
      (steps, odd) => {
        const world = lived(steps);
        try {
          world.apply('m', make(odd));
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
        }
      },
    ),
  );
});
