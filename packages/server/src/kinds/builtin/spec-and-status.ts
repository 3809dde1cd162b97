// What most kinds with a spec and a status have in common: a client writes the one and a controller the
// other, and the generation counts the changes of the spec.
import { asJson, deepEqual, type JsonObject, type KubeObject } from '@instar/machinery';
import type { Strategy, WriteContext } from '../../objects/definition.ts';

interface SpecAndStatusOptions {
  /** False: the kind has no generation (HorizontalPodAutoscaler). */
  readonly generation?: boolean;
  /** Annotations count as a part of the spec (Deployment). */
  readonly annotationsCount?: boolean;
}

/** The preparation of such a kind, for its strategy. */
export function prepareSpecAndStatus(
  options: SpecAndStatusOptions = {},
): Required<Pick<Strategy, 'prepareForCreate' | 'prepareForUpdate'>> {
  const { generation = true, annotationsCount = false } = options;
  const changed = (next: KubeObject, old: KubeObject): boolean =>
    !deepEqual(asJson(next)['spec'], asJson(old)['spec']) ||
    (annotationsCount && !deepEqual({ ...next.metadata.annotations }, { ...old.metadata.annotations }));
  return {
    prepareForCreate(object, context) {
      resetStatus(object, context);
      if (generation) object.metadata.generation = 1;
    },
    prepareForUpdate(object, old, { subresource }) {
      if (subresource === 'status') {
        keepField(object, old, 'spec');
        return;
      }
      keepField(object, old, 'status');
      if (generation && changed(object, old)) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
  };
}

/** The status as it is before any controller has seen the object. */
function resetStatus(object: KubeObject, { version }: WriteContext): void {
  const blank = version.blank?.()['status'];
  if (blank !== undefined) asJson(object)['status'] = structuredClone(blank);
  else delete asJson(object)['status'];
}

function keepField(object: KubeObject, old: KubeObject, name: 'spec' | 'status'): void {
  const kept: JsonObject = asJson(old);
  if (kept[name] === undefined) delete asJson(object)[name];
  else asJson(object)[name] = structuredClone(kept[name]);
}
