// The generation of a DaemonSet's template: a field in old versions of the API, since then an annotation that
// every DaemonSet has.
import { deepEqual, type JsonObject, type KubeObject } from '@instar/machinery';
import { metadataOf } from '../../table/columns.ts';
import type { DaemonSet } from '../../validate/workloads/workload-types.ts';

const ANNOTATION = 'deprecated.daemonset.template.generation';

const generationOf = ({ metadata }: KubeObject): number => {
  const text = metadata.annotations?.[ANNOTATION] ?? '';
  return /^[+-]?[0-9]{1,15}$/.test(text) ? Number(text) : 0;
};

function write({ metadata }: KubeObject, generation: number): void {
  const annotations = { ...metadata.annotations, [ANNOTATION]: String(generation) };
  metadata.annotations = Object.fromEntries(Object.entries(annotations).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What a client sends always has it, if only as 0. */
export function fillInTemplateGeneration(object: JsonObject): void {
  const set = { metadata: metadataOf(object) } as unknown as KubeObject;
  write(set, generationOf(set));
}

export const setTemplateGeneration = (set: KubeObject): void => write(set, Math.max(1, generationOf(set)));

/** Only the server raises it, when the template has changed. */
export function keepTemplateGeneration(set: DaemonSet, old: DaemonSet): void {
  const isChanged = !deepEqual(set.spec.template as never, old.spec.template as never);
  write(set, generationOf(old) + (isChanged ? 1 : 0));
}
