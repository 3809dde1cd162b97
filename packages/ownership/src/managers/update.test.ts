import type { JsonObject, KubeObject, ManagedFieldsEntry } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { make, ownersOf as owners, V1, V2, versions } from '../testing/widget.ts';
import { resetFieldsOf } from './reset-fields.ts';
import { type UpdateInput, updateManagedFields, updateManagedFieldsAsync } from './update.ts';

let second = 0;
const write = (
  live: KubeObject | undefined,
  next: KubeObject,
  manager: string,
  more: Partial<UpdateInput> = {},
): KubeObject =>
  updateManagedFields({
    live,
    next,
    manager,
    apiVersion: next.apiVersion,
    now: `2026-01-01T00:00:${String(++second % 60).padStart(2, '0')}Z`,
    versions,
    ...more,
  });

const entry = (rest: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => ({
  manager: 'x',
  operation: 'Update',
  apiVersion: V1,
  time: '2020-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': { 'f:note': {} } },
  ...rest,
});

describe('a create', () => {
  it('owns every value and the containers it made, in order, but not what the server maintains', () => {
    const made = write(
      undefined,
      make({ tags: ['x'], image: 'i' }, { uid: 'u', labels: { b: '2', a: '1' }, finalizers: ['f'] }),
      'creator',
    );
    expect(made.metadata.managedFields).toHaveLength(1);
    expect(JSON.stringify(made.metadata.managedFields![0]!.fieldsV1)).toBe(
      '{"f:metadata":{"f:finalizers":{".":{},"v:\\"f\\"":{}},"f:labels":{".":{},"f:a":{},"f:b":{}}},"f:spec":{".":{},"f:image":{},"f:tags":{}}}',
    );
  });

  it('orders map keys as numbers and by name', () => {
    const made = write(
      undefined,
      make({ ports: [{ port: 80 }, { port: 9, protocol: 'UDP' }, { protocol: 'A', port: 80 }] }),
      'creator',
    );
    const ports = (made.metadata.managedFields![0]!.fieldsV1 as JsonObject)['f:spec'] as JsonObject;
    expect(Object.keys(ports['f:ports'] as JsonObject)).toEqual([
      '.',
      'k:{"port":9,"protocol":"UDP"}',
      'k:{"port":80,"protocol":"A"}',
      'k:{"port":80,"protocol":"TCP"}',
    ]);
  });

  it('accepts the entries sent with it', () => {
    expect(
      Object.keys(owners(write(undefined, make({ note: 'n' }, { managedFields: [entry()] }), 'creator'))),
    ).toEqual(['creator Update v1']);
  });

  it('does not own the parts that an object of the kind always has', () => {
    const made = write(undefined, make({ image: 'i', deep: { a: '1' }, any: { x: 1 } }), 'creator', {
      blank: { spec: { deep: {} } },
    });
    expect(owners(made)['creator Update v1']).toEqual({
      'f:spec': { 'f:any': { '.': {}, 'f:x': {} }, 'f:deep': { 'f:a': {} }, 'f:image': {} },
    });
  });

  it('without a value has no entry', () => {
    expect(write(undefined, make(undefined), 'creator').metadata).not.toHaveProperty('managedFields');
  });

  it('without a manager is by unknown', () => {
    expect(Object.keys(owners(write(undefined, make({}), '')))).toEqual(['unknown Update v1']);
  });
});

describe('an update', () => {
  const created = write(
    undefined,
    make({ image: 'i', note: 'n', words: ['a', 'b'] }, { uid: 'u' }),
    'creator',
  );

  it('owns what it changes and takes it from others', () => {
    expect(
      owners(
        write(
          created,
          make({ image: 'j', note: 'n', words: ['b', 'c'], replicas: 1 }, { uid: 'u' }),
          'putter',
        ),
      ),
    ).toEqual({
      'creator Update v1': { 'f:spec': { '.': {}, 'f:note': {}, 'f:words': { '.': {}, 'v:"b"': {} } } },
      'putter Update v1': { 'f:spec': { 'f:image': {}, 'f:replicas': {}, 'f:words': { 'v:"c"': {} } } },
    });
  });

  it('that changes nothing keeps the entries as they are', () => {
    const again = write(created, make({ image: 'i', note: 'n', words: ['a', 'b'] }, { uid: 'u' }), 'putter');
    expect(again.metadata.managedFields![0]).toBe(created.metadata.managedFields![0]);
  });

  it('adds to the entry of the same manager and moves its time', () => {
    const [e] = write(
      created,
      make({ image: 'k', note: 'n', words: ['a', 'b'], replicas: 2 }, { uid: 'u' }),
      'creator',
    ).metadata.managedFields!;
    expect(e!.fieldsV1).toEqual({
      'f:spec': {
        '.': {},
        'f:image': {},
        'f:note': {},
        'f:replicas': {},
        'f:words': { '.': {}, 'v:"a"': {}, 'v:"b"': {} },
      },
    });
    expect(e!.time).not.toBe(created.metadata.managedFields![0]!.time);
  });

  it('of unknown structure owns each field, of an atomic map the whole', () => {
    const next = make(
      { image: 'i', note: 'n', words: ['a', 'b'], any: { fresh: { q: [] } }, atomic: { z: '3' } },
      { uid: 'u' },
    );
    expect(owners(write(created, next, 'merger'))['merger Update v1']).toEqual({
      'f:spec': { 'f:any': { '.': {}, 'f:fresh': { '.': {}, 'f:q': {} } }, 'f:atomic': {} },
    });
  });

  it('does not own what the write resets, in any version', () => {
    const live = make(
      { image: 'i' },
      {
        uid: 'u',
        managedFields: [
          entry({
            manager: 'c',
            apiVersion: V2,
            subresource: 'status',
            fieldsV1: { 'f:status': { 'f:phase': {} } },
          }),
        ],
      },
      { status: { phase: 'x' } },
    );
    const ignored = resetFieldsOf({
      hasStatusSubresource: true,
      subresource: undefined,
      statusResetsMetadata: true,
    });
    expect(
      owners(
        write(live, make({ image: 'j' }, { uid: 'u' }, { status: { phase: 'y' } }), 'putter', { ignored }),
      ),
    ).toEqual({
      'c Update v2 status': { 'f:status': { 'f:phase': {} } },
      'putter Update v1': { 'f:spec': { 'f:image': {} } },
    });
  });

  it('orders entries by operation, time and manager', () => {
    const at = (manager: string, operation: 'Apply' | 'Update', time: string) =>
      entry({ manager, operation, time: `2020-01-01T00:00:${time}Z` });
    const live = make(
      { note: 'n' },
      {
        uid: 'u',
        managedFields: [
          at('z', 'Update', '01'),
          at('b', 'Update', '02'),
          at('a', 'Update', '02'),
          at('q', 'Apply', '09'),
        ],
      },
    );
    const next = write(live, make({ note: 'n', image: 'i' }, { uid: 'u' }), 'last');
    expect(next.metadata.managedFields!.map((e) => e.manager)).toEqual(['q', 'z', 'a', 'b', 'last']);
  });

  it('merges the oldest updaters beyond ten', () => {
    let live = write(undefined, make({ any: {} }, { uid: 'u' }), 'm0', { now: '2026-01-01T00:00:00Z' });
    for (let i = 1; i <= 11; i++) {
      const next = make(
        { any: { ...((live['spec'] as JsonObject)['any'] as object), [`k${i}`]: 1 } },
        { uid: 'u' },
      );
      live = write(live, next, `m${i}`, { now: `2026-01-01T00:00:${String(i).padStart(2, '0')}Z` });
    }
    const names = live.metadata.managedFields!.map((e) => e.manager);
    expect(names).toHaveLength(10);
    expect(names[0]).toBe('ancient-changes');
    expect(names.slice(1)).toEqual(['m3', 'm4', 'm5', 'm6', 'm7', 'm8', 'm9', 'm10', 'm11']);
  });

  it('compares in the version of each owner', () => {
    const live = make(
      { image: 'i', note: 'n' },
      {
        uid: 'u',
        managedFields: [entry({ apiVersion: V2, fieldsV1: { 'f:spec': { 'f:image': {}, 'f:note': {} } } })],
      },
    );
    expect(owners(write(live, make({ image: 'j', note: 'n' }, { uid: 'u' }), 'putter'))).toEqual({
      'x Update v2': { 'f:spec': { 'f:note': {} } },
      'putter Update v1': { 'f:spec': { 'f:image': {} } },
    });
  });

  it('ignores owners of a version that was removed', () => {
    const live = make(
      { image: 'i' },
      { uid: 'u', managedFields: [entry({ apiVersion: 'g.example.com/v0' })] },
    );
    expect(Object.keys(owners(write(live, make({ image: 'j' }, { uid: 'u' }), 'putter')))).toEqual([
      'putter Update v1',
    ]);
  });

  it('clears the owners where those of a version that was removed are refused', () => {
    const live = make(
      { image: 'i' },
      { uid: 'u', managedFields: [entry({ apiVersion: 'g.example.com/v0' }), entry({})] },
    );
    const input = {
      live,
      next: make({ image: 'j' }, { uid: 'u' }),
      manager: 'putter',
      apiVersion: V1,
      now: '2026-01-01T00:00:00Z',
      versions: { ...versions, refuseRemoved: () => new Error('refused') },
    };
    expect(updateManagedFields(input).metadata.managedFields).toBeUndefined();
  });

  it('keeps the owners of a version to which the object cannot be converted now', async () => {
    const live = make({ image: 'i' }, { uid: 'u', managedFields: [entry({ apiVersion: V2 })] });
    const input = {
      live,
      next: make({ image: 'j' }, { uid: 'u' }),
      manager: 'putter',
      apiVersion: V1,
      now: '2026-01-01T00:00:00Z',
      versions,
    };
    const next = await updateManagedFieldsAsync(input, () => Promise.reject(new Error('down')));
    expect(Object.keys(owners(next))).toEqual(['x Update v2', 'putter Update v1']);
  });

  it('reconciles a set with a list that has become atomic', () => {
    const managedFields = [entry({ fieldsV1: { 'f:spec': { 'f:tags': { '.': {}, 'v:"a"': {} } } } })];
    const live = make({ tags: ['a'] }, { uid: 'u', managedFields });
    expect(owners(write(live, make({ tags: ['a'], image: 'i' }, { uid: 'u' }), 'p'))['x Update v1']).toEqual({
      'f:spec': { 'f:tags': {} },
    });
  });
});

describe('managedFields that a client sends', () => {
  const created = write(undefined, make({ image: 'i', note: 'n' }, { uid: 'u' }), 'creator');
  const put = (managedFields: unknown, spec: unknown = created['spec'], more: Partial<UpdateInput> = {}) =>
    owners(
      write(
        created,
        make(spec, { uid: 'u', managedFields: managedFields as ManagedFieldsEntry[] }),
        'putter',
        more,
      ),
    );
  const kept = owners(created);

  it('replace those that are stored', () => {
    expect(put([entry()])).toEqual({ 'x Update v1': { 'f:spec': { 'f:note': {} } } });
    expect(put([entry(), entry()])).toEqual({ 'x Update v1': { 'f:spec': { 'f:note': {} } } });
    const { manager: _manager, ...nameless } = entry();
    expect(put([nameless])).toEqual({ 'Update v1': { 'f:spec': { 'f:note': {} } } });
  });

  it.each([
    ['no operation', { operation: undefined }],
    ['an unknown operation', { operation: 'Sneeze' }],
    ['no fieldsType', { fieldsType: undefined }],
    ['an unknown fieldsType', { fieldsType: 'FieldsV2' }],
    ['no apiVersion', { apiVersion: undefined }],
    ['a path element of no kind', { fieldsV1: { spec: {} } }],
    ['a bad key', { fieldsV1: { 'f:spec': { 'k:{': {} } } }],
  ])('count as not sent with %s', (_, fault) => {
    expect(put([entry(fault as never)])).toEqual(kept);
  });

  it('are dropped if they are empty or name no version', () => {
    expect(put([entry({ apiVersion: 'g.example.com/v9' })])).toEqual({});
    const { fieldsV1: _fields, ...empty } = entry();
    expect(put([empty])).toEqual({});
  });

  it('are cleared permanently by one empty entry', () => {
    expect(put([{}])).toEqual({});
    expect(put([{}], { image: 'j' })).toEqual({});
    const cleared = write(created, make(created['spec'], { uid: 'u', managedFields: [{}] }), 'p');
    expect(owners(write(cleared, make({ replicas: 1 }, { uid: 'u' }), 'p'))).toEqual({});
  });

  it('are kept if none are sent', () => {
    for (const none of [[], null, undefined]) expect(put(none)).toEqual(kept);
  });

  it('are cleared by an empty list for kinds that define it so', () => {
    expect(put([], created['spec'], { emptyListResets: true })).toEqual({});
  });

  it('are kept with their times in UTC', () => {
    const sent = [entry({ time: '2020-01-01T01:30:00+01:00' })];
    const next = write(created, make(created['spec'], { uid: 'u', managedFields: sent }), 'p');
    expect(next.metadata.managedFields![0]!.time).toBe('2020-01-01T00:30:00Z');
  });

  it('are ignored on a subresource', () => {
    expect(put([entry()], created['spec'], { subresource: 'status' })).toEqual(kept);
  });

  it('are read in any order and spelling', () => {
    const sent = [
      entry({
        fieldsV1: {
          'f:spec': {
            'f:ports': { 'k:{ "protocol": "TCP", "port": 1 }': { 'f:name': {}, '.': {} } },
            'f:image': {},
          },
        },
      }),
    ];
    expect(JSON.stringify(put(sent)['x Update v1'])).toBe(
      '{"f:spec":{"f:image":{},"f:ports":{"k:{\\"port\\":1,\\"protocol\\":\\"TCP\\"}":{".":{},"f:name":{}}}}}',
    );
  });
});
