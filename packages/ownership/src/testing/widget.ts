// For tests: a kind with every way of merging, and a world in which managers write and apply to one object of
// it.
import type { JsonObject, KubeObject } from '@instar/machinery';
import { type ApplyInput, applyManaged } from '../managers/apply.ts';
import { conflictError } from '../managers/conflict.ts';
import { type UpdateInput, updateManagedFields } from '../managers/update.ts';
import { mergeTypeOf } from '../typed/merge-type-of.ts';
import { integer, listOf, mapOf, object, string, structural } from './structural.ts';

export const V1 = 'g.example.com/v1';
export const V2 = 'g.example.com/v2';

const port = object({
  port: integer,
  protocol: { type: 'string', default: 'TCP' },
  name: string,
  extra: object({ a: string, b: string }),
});

export const widgetType = mergeTypeOf(
  structural(
    object({
      spec: object({
        image: string,
        replicas: integer,
        note: string,
        tags: listOf(string),
        words: listOf(string, 'set'),
        ports: listOf(port, 'map', ['port', 'protocol']),
        any: { type: 'object', open: true },
        untyped: { open: true },
        either: { type: 'int-or-string' },
        fields: mapOf(string),
        objects: mapOf(object({ a: string, b: string })),
        atomic: mapOf(string, 'atomic'),
        deep: object({ a: string, b: string, deeper: object({ c: string }) }),
      }),
      status: object({ phase: string, replicas: integer }),
    }),
  ),
);

export const versions = {
  typeOf: (version: string) => (version === V1 || version === V2 ? widgetType : undefined),
};

export function make(spec?: unknown, metadata: KubeObject['metadata'] = {}, rest: object = {}): KubeObject {
  return {
    apiVersion: V1,
    kind: 'Widget',
    metadata: { name: 'a', ...metadata },
    ...(spec !== undefined && { spec }),
    ...rest,
  };
}

/** Who owns what, as { 'manager operation version [subresource]': set }. */
export const ownersOf = (o: KubeObject): Record<string, unknown> =>
  Object.fromEntries(
    (o.metadata.managedFields ?? []).map((e) => [
      [e.manager, e.operation, e.apiVersion!.split('/')[1], e.subresource].filter(Boolean).join(' '),
      e.fieldsV1,
    ]),
  );

/** One object and its writers, a second apart. */
export class World {
  live: KubeObject | undefined;
  #second = 0;

  get spec(): unknown {
    return this.live?.['spec'];
  }

  get owners(): Record<string, unknown> {
    return this.live === undefined ? {} : ownersOf(this.live);
  }

  apply(manager: string, applied: KubeObject, more: Partial<ApplyInput> = {}): boolean {
    const result = applyManaged({
      ...this.#context(manager, applied.apiVersion),
      kind: 'Widget',
      live: this.#liveIn(applied.apiVersion),
      applied,
      force: false,
      ...more,
    });
    if ('conflicts' in result) throw conflictError(result.conflicts);
    this.#store(result.object);
    return result.changed;
  }

  update(manager: string, next: KubeObject, more: Partial<UpdateInput> = {}): void {
    const live = this.#liveIn(next.apiVersion);
    const withUid = { ...next, metadata: { ...next.metadata, ...(live && { uid: 'u' }) } };
    this.#store(
      updateManagedFields({ ...this.#context(manager, next.apiVersion), live, next: withUid, ...more }),
    );
  }

  /** A merge patch of the spec. */
  patch(manager: string, spec: JsonObject, apiVersion = V1): void {
    const next = this.#liveIn(apiVersion)!;
    this.update(manager, { ...next, spec: { ...(next['spec'] as JsonObject), ...spec } });
  }

  #context(manager: string, apiVersion: string) {
    const now = new Date(Date.UTC(2026, 0, 1) + this.#second++ * 1000).toISOString().replace('.000', '');
    return { manager, apiVersion, now, versions };
  }

  #liveIn(apiVersion: string): KubeObject | undefined {
    return this.live && { ...this.live, apiVersion };
  }

  /** As a store does, it returns other objects than it got. */
  #store(object: KubeObject): void {
    this.live = JSON.parse(
      JSON.stringify({ ...object, metadata: { ...object.metadata, uid: 'u' } }),
    ) as KubeObject;
  }
}
