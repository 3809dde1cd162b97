// Whether an object's label is as it should be: there exactly if the object fails strict validation. Pure.
import { asJson, type KubeObject } from '@instar/machinery';
import type { SnapshotResource } from '../resources.ts';

export interface Judgment {
  readonly invalid: boolean;
  /** What is to be done about the label; undefined if it is as it should be. */
  readonly action?: 'add' | 'remove';
}

export function judge(resource: SnapshotResource, object: KubeObject): Judgment {
  const invalid = resource.validate(asJson(object)).length > 0;
  const labeled = Object.hasOwn(object.metadata.labels ?? {}, resource.invalidLabel);
  return invalid === labeled ? { invalid } : { invalid, action: invalid ? 'add' : 'remove' };
}

/**
 * A merge patch that is refused if the object has changed since it was judged, unless it is to get through
 * whatever happens.
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
