import { ApiError, type JsonObject, type KubeObject } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { make, ownersOf, V1, V2, versions, World } from '../testing/widget.ts';
import { applyManaged, applyManagedAsync } from './apply.ts';
import { keepTimesIfUnchanged } from './keep-times.ts';
import { resetFieldsOf } from './reset-fields.ts';

function world(...applies: [manager: string, spec: unknown][]): World {
  const w = new World();
  for (const [manager, spec] of applies) w.apply(manager, make(spec));
  return w;
}

function refusal(run: () => unknown): ApiError {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('was not refused');
}

describe('an apply', () => {
  it('that creates an object owns its values without the containers of known names', () => {
    expect(world(['alpha', { image: 'one', deep: { deeper: {} }, fields: { x: '1' } }]).owners).toEqual({
      'alpha Apply v1': {
        'f:spec': { 'f:deep': { 'f:deeper': {} }, 'f:fields': { 'f:x': {} }, 'f:image': {} },
      },
    });
  });

  it('with nothing to own has no entry', () => {
    const w = world(['alpha', undefined]);
    expect(w.owners).toEqual({});
  });

  it('sets what it mentions and leaves the rest', () => {
    const w = world(
      ['alpha', { image: 'one', deep: { a: '1' } }],
      ['beta', { deep: { b: '2' }, words: ['x'] }],
    );
    expect(w.spec).toEqual({ image: 'one', deep: { a: '1', b: '2' }, words: ['x'] });
  });

  it('removes what it leaves out, with the containers that become empty', () => {
    const w = world(
      ['alpha', { replicas: 1, deep: { a: '1', b: '2', deeper: { c: '3' } } }],
      ['beta', { deep: { a: '1' } }],
    );
    w.apply('alpha', make({ replicas: 1 }));
    expect(w.spec).toEqual({ replicas: 1, deep: { a: '1' } });
    w.apply('beta', make({}));
    expect(w.spec).toEqual({ replicas: 1 });
    expect(w.owners).toEqual({
      'alpha Apply v1': { 'f:spec': { 'f:replicas': {} } },
      'beta Apply v1': { 'f:spec': {} },
    });
  });

  it('removes nothing that others own or that has no owner', () => {
    const w = world(['alpha', { image: 'one' }]);
    w.patch('merger', { note: 'm' });
    w.apply('alpha', make({ image: 'one', note: 'm' }));
    w.live = { ...w.live!, spec: { ...(w.spec as object), replicas: 1 } };
    w.apply('alpha', make({}));
    expect(w.spec).toEqual({ note: 'm', replicas: 1 });
  });

  it('records the owner before the first apply for an object without owners', () => {
    const w = new World();
    w.live = make({ image: 'i', note: 'n' }, { uid: 'u' });
    w.apply('alpha', make({ image: 'i' }));
    expect(w.owners).toEqual({
      'alpha Apply v1': { 'f:spec': { 'f:image': {} } },
      'before-first-apply Update v1': { 'f:spec': { '.': {}, 'f:image': {}, 'f:note': {} } },
    });
  });

  it('shares nothing with the live object or the configuration', () => {
    const live = make({ deep: { a: '1' } }, { uid: 'u' });
    const applied = make({ objects: { k: { a: '1' } } });
    const result = applyManaged({
      kind: 'Widget',
      live,
      applied,
      force: false,
      manager: 'm',
      apiVersion: V1,
      now: '2026-01-01T00:00:00Z',
      versions,
    });
    const spec = (result as { object: KubeObject }).object['spec'] as JsonObject;
    (spec['deep'] as JsonObject)['a'] = 'changed';
    (spec['objects'] as JsonObject)['l'] = {};
    expect([live['spec'], applied['spec']]).toEqual([{ deep: { a: '1' } }, { objects: { k: { a: '1' } } }]);
  });
});

describe('times', () => {
  const timeOf = (w: World, manager: string) =>
    w.live!.metadata.managedFields!.find((e) => e.manager === manager)?.time;

  it('stay if nothing changes', () => {
    const w = world(['alpha', { image: 'one' }]);
    const first = timeOf(w, 'alpha');
    expect(w.apply('alpha', make({ image: 'one' }))).toBe(false);
    expect(timeOf(w, 'alpha')).toBe(first);
  });

  it('move if something changes', () => {
    const w = world(['alpha', { image: 'one' }]);
    const first = timeOf(w, 'alpha');
    expect(w.apply('alpha', make({ image: 'two' }))).toBe(true);
    expect(timeOf(w, 'alpha')).not.toBe(first);
  });

  it('do not change for managers that apply existing values', () => {
    const w = world(['alpha', { image: 'one' }]);
    expect(w.apply('beta', make({ image: 'one' }))).toBe(true);
    expect(timeOf(w, 'beta')).toBeUndefined();
    expect(timeOf(w, 'alpha')).toBeDefined();
  });

  it('are restored if only they changed in the end', () => {
    const w = world(['alpha', { image: 'one' }]);
    const [entry] = w.live!.metadata.managedFields!;
    const later = {
      ...w.live!,
      metadata: { ...w.live!.metadata, managedFields: [{ ...entry, time: '2030-01-01T00:00:00Z' }] },
    };
    expect(keepTimesIfUnchanged(w.live!, later)).toEqual(w.live);
    const changed = { ...later, spec: { image: 'two' } };
    expect(keepTimesIfUnchanged(w.live!, changed)).toBe(changed);
  });
});

describe('a conflict', () => {
  it('is about a value that another applied', () => {
    const w = world(['alpha', { image: 'one', replicas: 1 }]);
    expect(refusal(() => w.apply('beta', make({ image: 'two' }))).status).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "alpha": .spec.image',
      details: {
        causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "alpha"', field: '.spec.image' }],
      },
    });
    expect(refusal(() => w.apply('beta', make({ image: 'two', replicas: 2 }))).message).toBe(
      'Apply failed with 2 conflicts: conflicts with "alpha":\n- .spec.image\n- .spec.replicas',
    );
  });

  it('names the version of an updater', () => {
    const w = world(['alpha', { image: 'one' }]);
    w.patch('merger', { image: 'two' });
    expect(refusal(() => w.apply('alpha', make({ image: 'one' }))).message).toBe(
      'Apply failed with 1 conflict: conflict with "merger" using g.example.com/v1: .spec.image',
    );
  });

  it('names the subresource of an owner', () => {
    const w = world(['alpha', { image: 'one' }]);
    w.apply('controller', make(undefined, {}, { status: { phase: 'x' } }), {
      subresource: 'status',
      ignored: resetFieldsOf({
        hasStatusSubresource: true,
        subresource: 'status',
        statusResetsMetadata: true,
      }),
    });
    expect(
      refusal(() =>
        w.apply('other', make(undefined, {}, { status: { phase: 'y' } }), {
          subresource: 'status',
          ignored: resetFieldsOf({
            hasStatusSubresource: true,
            subresource: 'status',
            statusResetsMetadata: true,
          }),
        }),
      ).message,
    ).toBe(
      'Apply failed with 1 conflict: conflict with "controller" with subresource "status": .status.phase',
    );
  });

  it('lists readable paths by owner in order', () => {
    const w = world(
      ['zeta', { ports: [{ port: 7, name: 'x' }], fields: { 'a.b/c': '1' } }],
      ['alpha', { objects: { k: { a: '1' } } }],
    );
    const message = refusal(() =>
      w.apply(
        'gamma',
        make({ ports: [{ port: 7, name: 'y' }], fields: { 'a.b/c': '2' }, objects: { k: { a: '2' } } }),
      ),
    ).message;
    expect(message).toBe(
      'Apply failed with 3 conflicts: conflicts with "alpha":\n- .spec.objects.k.a\n' +
        'conflicts with "zeta":\n- .spec.fields.a.b/c\n- .spec.ports[port=7,protocol="TCP"].name',
    );
  });

  it('does not occur for the same value', () => {
    const w = world(['alpha', { image: 'one', replicas: 1 }]);
    expect(() => w.apply('beta', make({ image: 'one' }))).not.toThrow();
  });

  it('is overridden by force', () => {
    const w = world(['alpha', { image: 'one', replicas: 1 }], ['beta', { image: 'one' }]);
    w.apply('beta', make({ image: 'two' }), { force: true });
    expect(w.owners).toEqual({
      'alpha Apply v1': { 'f:spec': { 'f:replicas': {} } },
      'beta Apply v1': { 'f:spec': { 'f:image': {} } },
    });
  });
});

describe('lists and maps', () => {
  it('that are atomic are replaced as a whole', () => {
    const w = world(['alpha', { tags: ['x', 'y'], atomic: { x: '1' } }]);
    expect(refusal(() => w.apply('beta', make({ tags: ['y', 'x'] }))).message).toContain('.spec.tags');
    w.apply('beta', make({ atomic: { y: '2' } }), { force: true });
    expect(w.spec).toEqual({ tags: ['x', 'y'], atomic: { y: '2' } });
  });

  it('sets grow in the order of the applied list and shrink by owner', () => {
    const w = world(['alpha', { words: ['b', 'a'] }], ['beta', { words: ['c', 'a'] }]);
    expect(w.spec).toEqual({ words: ['b', 'c', 'a'] });
    w.apply('alpha', make({ words: [] }));
    expect(w.spec).toEqual({ words: ['c', 'a'] });
  });

  it('items merge by their keys, including defaults', () => {
    const w = world(
      [
        'alpha',
        {
          ports: [
            { port: 80, name: 'web' },
            { port: 53, protocol: 'UDP' },
          ],
        },
      ],
      ['beta', { ports: [{ port: 80, protocol: 'TCP', extra: { a: '1' } }, { port: 443 }] }],
    );
    expect(w.spec).toEqual({
      ports: [
        { port: 80, name: 'web', protocol: 'TCP', extra: { a: '1' } },
        { port: 53, protocol: 'UDP' },
        { port: 443 },
      ],
    });
    w.apply('beta', make({ ports: [{ port: 1 }, { port: 80 }, { port: 2 }] }));
    expect((w.spec as { ports: { port: number }[] }).ports.map((p) => p.port)).toEqual([1, 80, 53, 2]);
  });

  it('of unknown structure merge by their content', () => {
    const w = world(
      ['alpha', { any: { deep: { x: 1 }, list: [1] }, untyped: 'text' }],
      ['beta', { any: { deep: { z: null } } }],
    );
    expect(w.spec).toEqual({ any: { deep: { x: 1, z: null }, list: [1] }, untyped: 'text' });
    expect(refusal(() => w.apply('beta', make({ any: { list: [2] } }))).message).toContain('.spec.any.list');
    w.apply('alpha', make({ untyped: { a: { b: 1 } } }));
    w.apply('beta', make({ untyped: [1, 2] }), { force: true });
    expect([w.spec, w.owners]).toEqual([
      { untyped: [1, 2] },
      { 'beta Apply v1': { 'f:spec': { 'f:untyped': {} } } },
    ]);
  });

  it('keys like those of Object.prototype are ordinary keys', () => {
    const w = world(
      ['alpha', { fields: JSON.parse('{"__proto__":"1","constructor":"2"}') as JsonObject }],
      ['beta', { fields: { x: '3' } }],
    );
    expect(JSON.stringify(w.spec)).toBe('{"fields":{"__proto__":"1","constructor":"2","x":"3"}}');
    w.apply('alpha', make({}));
    expect(w.spec).toEqual({ fields: { x: '3' } });
  });
});

describe('a configuration that is refused', () => {
  const refused = (applied: unknown) =>
    refusal(() => new World().apply('m', applied as KubeObject, { apiVersion: V1 })).status;
  const typed = (text: string) => ({
    code: 500,
    message: `failed to create typed patch object (/a; ${V1}, Kind=Widget): ${text}`,
  });

  it.each([
    ['another kind', { ...make(), kind: 'Gadget' }, `invalid object type: ${V1}, Kind=Gadget`],
    ['no type', {}, 'invalid object type: /, Kind='],
    ['managedFields', make(undefined, { managedFields: [] }), 'metadata.managedFields must be nil'],
  ])('for %s', (_, applied, message) => {
    expect(refused(applied)).toMatchObject({ code: 400, reason: 'BadRequest', message });
  });

  it.each([
    ['a spec that is text', 'x', '.spec: expected map, got &{x}'],
    ['a spec that is a list', [], '.spec: expected map, got &{[]}'],
    [
      'a number for text',
      { image: 3 },
      '.spec.image: expected string, got &value.valueUnstructured{Value:3}',
    ],
    ['text for a number', { replicas: '3' }, '.spec.replicas: expected numeric (int or float), got string'],
    ['an object for a list', { words: { a: 1 } }, '.spec.words: expected list, got &{map[a:1]}'],
    ['an unknown field', { extra: 1 }, '.spec.extra: field not declared in schema'],
    ['an item twice in a set', { words: ['d', 'e', 'd'] }, '.spec.words: duplicate entries for key [="d"]'],
    [
      'an item twice',
      { ports: [{ port: 3 }, { port: 3, protocol: 'TCP' }] },
      '.spec.ports: duplicate entries for key [port=3,protocol="TCP"]',
    ],
    [
      'null in a set',
      { words: [null] },
      ".spec.words: element 0: associative list without keys has an element that's an explicit null",
    ],
    [
      'an item that is no object',
      { ports: ['x'] },
      '.spec.ports: element 0: associative list with keys may not have non-map elements',
    ],
    [
      'two faults',
      { image: 3, replicas: true },
      'errors:\n  .spec.image: expected string, got &value.valueUnstructured{Value:3}\n  .spec.replicas: expected numeric (int or float), got bool',
    ],
  ])('for %s', (_, spec, text) => {
    expect(refused(make(spec))).toMatchObject(typed(text));
  });
});

describe('versions', () => {
  it('an applier is the same in all of them', () => {
    const w = world(['alpha', { image: 'i', replicas: 1 }]);
    w.apply('alpha', { ...make({ image: 'i' }), apiVersion: V2 });
    expect([w.spec, w.owners]).toEqual([
      { image: 'i' },
      { 'alpha Apply v2': { 'f:spec': { 'f:image': {} } } },
    ]);
    expect(refusal(() => w.apply('beta', make({ image: 'j' }))).message).toContain(
      'conflict with "alpha": .spec.image',
    );
  });

  it('that were removed do not matter', () => {
    const w = world(['alpha', { image: 'i' }]);
    w.live!.metadata.managedFields![0]!.apiVersion = 'g.example.com/v0';
    w.apply('beta', make({ image: 'j' }));
    expect(w.owners).toEqual({ 'beta Apply v1': { 'f:spec': { 'f:image': {} } } });
  });

  it('that were removed fail the apply if they are refused', () => {
    const w = world(['alpha', { image: 'i' }]);
    w.live!.metadata.managedFields![0]!.apiVersion = 'g.example.com/v0';
    const refuseRemoved = (version: string) => new Error(`no ${version}`);
    const input = {
      kind: 'Widget',
      live: w.live!,
      applied: make({ image: 'j' }),
      force: true,
      manager: 'b',
      apiVersion: V1,
      now: '2026-01-01T00:00:00Z',
      versions: { ...versions, refuseRemoved },
    };
    expect(() => applyManaged(input)).toThrow('no g.example.com/v0');
  });

  it('are reached only through the conversion function that is passed', async () => {
    const w = world(['alpha', { image: 'i' }]);
    w.live = { ...w.live!, apiVersion: V2 };
    const input = {
      kind: 'Widget',
      live: w.live,
      applied: { ...make({ image: 'j' }), apiVersion: V2 },
      force: true,
      manager: 'b',
      apiVersion: V2,
      now: '2026-01-01T00:00:00Z',
      versions,
    };
    const asked: string[] = [];
    const result = await applyManagedAsync(input, async (objects, version) => {
      asked.push(version);
      return objects.map((object) => ({ ...object, apiVersion: version }));
    });
    expect([...new Set(asked)]).toEqual([V1]);
    expect(ownersOf((result as { object: KubeObject }).object)).toEqual({
      'b Apply v2': { 'f:spec': { 'f:image': {} } },
    });
    await expect(applyManagedAsync(input, () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  });
});

describe('kubectl', () => {
  const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
  const clientSide = (spec: unknown): KubeObject =>
    make(spec, { annotations: { [annotation]: JSON.stringify({ ...make(spec), metadata: { name: 'a' } }) } });

  it('takes over from its client-side apply, including the annotation', () => {
    const w = new World();
    w.update('kubectl-client-side-apply', clientSide({ image: 'one', replicas: 1 }));
    w.apply('kubectl', make({ image: 'two', replicas: 1 }));
    expect(w.spec).toEqual({ image: 'two', replicas: 1 });
    expect(w.live!.metadata.annotations![annotation]).toBe(
      `{"apiVersion":"${V1}","kind":"Widget","metadata":{"name":"a"},"spec":{"image":"two","replicas":1}}\n`,
    );
  });

  it('must not take what has changed since', () => {
    const w = new World();
    w.update('kubectl-client-side-apply', clientSide({ image: 'one', replicas: 1 }));
    w.patch('other', { replicas: 5 });
    expect(refusal(() => w.apply('kubectl', make({ image: 'two', replicas: 2 }))).message).toBe(
      `Apply failed with 1 conflict: conflict with "other" using ${V1}: .spec.replicas`,
    );
  });

  it('is the only manager that may', () => {
    const w = new World();
    w.update('kubectl-client-side-apply', clientSide({ image: 'one' }));
    expect(refusal(() => w.apply('argo', make({ image: 'two' }))).code).toBe(409);
  });
});
