// autoscaling/v1 Scale: a number of replicas in another object, at a path that the definition names.
import {
  asKubeObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  type LabelSelectorObject,
  labelSelectorFromObject,
  memberOf,
  SelectorError,
  setMember,
} from '@instar/machinery';
import type { ScaleSubresource } from './definition.ts';

export const SCALE_API_VERSION = 'autoscaling/v1';

export interface Scale extends KubeObject {
  spec?: { replicas?: number };
  status?: { replicas: number; selector?: string };
}

/** The field names of a path such as .spec.replicas. */
export const stepsOf = (path: string): string[] => path.replace(/^\./, '').split('.');

function nested(object: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const step of stepsOf(path)) {
    if (!isJsonObject(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}

export function scaleFrom(
  object: JsonObject,
  paths: ScaleSubresource,
): { scale: Scale; hasReplicas: boolean } {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = asKubeObject(object).metadata;
  const replicas = nested(object, paths.specReplicasPath);
  const statusReplicas = nested(object, paths.statusReplicasPath);
  const selector = selectorText(object, paths);
  const scale: Scale = {
    apiVersion: SCALE_API_VERSION,
    kind: 'Scale',
    metadata: {
      name: name!,
      ...(namespace !== undefined && { namespace }),
      uid: uid!,
      resourceVersion: resourceVersion!,
      creationTimestamp: creationTimestamp!,
    },
    // Go's omitempty: a spec of zero replicas is empty, a status always has its number.
    spec: typeof replicas === 'number' && replicas !== 0 ? { replicas } : {},
    status: {
      replicas: typeof statusReplicas === 'number' ? statusReplicas : 0,
      ...(selector !== '' && { selector }),
    },
  };
  return { scale, hasReplicas: replicas !== undefined };
}

/** Kinds with Go types have a selector where custom resources have its text. */
function selectorText(object: JsonObject, { labelSelectorPath, selectsByMap }: ScaleSubresource): string {
  const selector = labelSelectorPath === undefined ? undefined : nested(object, labelSelectorPath);
  if (typeof selector === 'string') return selector;
  if (!isJsonObject(selector)) return '';
  const labels = selectsByMap === true ? { matchLabels: selector } : selector;
  try {
    return String(labelSelectorFromObject(labels as LabelSelectorObject));
  } catch (error) {
    if (error instanceof SelectorError) return '';
    throw error;
  }
}

/** A copy of the object with another number of replicas; missing objects along the path are created. */
export function withReplicas(object: KubeObject, path: string, replicas: number): KubeObject {
  const copy = structuredClone(object);
  const steps = stepsOf(path);
  let at = copy as unknown as JsonObject;
  for (const step of steps.slice(0, -1)) {
    const known = memberOf(at, step);
    const next = isJsonObject(known) ? known : {};
    setMember(at, step, next);
    at = next;
  }
  setMember(at, steps.at(-1)!, replicas);
  return copy;
}
