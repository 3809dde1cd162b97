// Whether an object's label is right: set exactly if the object fails strict validation. Pure.
import { asJson, type KubeObject } from '@instar/machinery';
import type { SnapshotResource } from '../resources.ts';

export interface LabelDecision {
  readonly invalid: boolean;
  /** What to do about the label; undefined if it is right. */
  readonly action?: 'add' | 'remove';
}

export function judge(resource: SnapshotResource, object: KubeObject): LabelDecision {
  const invalid = resource.validate(asJson(object)).length > 0;
  const labeled = Object.hasOwn(object.metadata.labels ?? {}, resource.invalidLabel);
  return invalid === labeled ? { invalid } : { invalid, action: invalid ? 'add' : 'remove' };
}

/**
 * A merge patch. It fails if the object has changed since it was judged, unless it must succeed in any case.
 */
export function labelPatch(
  resource: SnapshotResource,
  object: KubeObject,
  action: 'add' | 'remove',
  guarded: boolean,
): object {
  return {
    metadata: {
      ...(guarded && { resourceVersion: object.metadata.resourceVersion }),
      labels: { [resource.invalidLabel]: action === 'add' ? '' : null },
    },
  };
}
