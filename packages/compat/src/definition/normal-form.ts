// Normalizes a definition to the one form that rules read: v1, without nulls, with kube-apiserver's defaults.
// It does not validate: a definition that the server would refuse can still be compared.
import {
  applyCrdDefaults,
  applyV1beta1Defaults,
  type CustomResourceDefinition,
  fromV1beta1,
  type V1beta1CustomResourceDefinition,
} from '@instar/crd';
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { removeMalformedInSchema, removeMalformedInSpec } from './malformed.ts';

/**
 * Undefined: not a CustomResourceDefinition. Never changes `value`. `faults` receives the paths that have
 * the wrong type and are ignored.
 */
export function definitionOf(value: JsonValue, faults: string[] = []): CustomResourceDefinition | undefined {
  if (!isDefinition(value)) return undefined;
  const copy = withoutNulls(value) as JsonObject;
  removeMalformedInSpec(copy['spec'] as JsonObject, faults);
  addMissingParts(copy);
  for (const schema of schemasIn(copy['spec'] as JsonObject))
    removeMalformedInSchema(schema, 'schema', faults);
  if (value['apiVersion'] === 'apiextensions.k8s.io/v1beta1') {
    const older = copy as unknown as V1beta1CustomResourceDefinition;
    applyV1beta1Defaults(older);
    return fromV1beta1(older);
  }
  const crd = copy as unknown as CustomResourceDefinition;
  applyCrdDefaults(crd);
  return crd;
}

function schemasIn(spec: JsonObject): JsonObject[] {
  const holders = [spec['validation'], ...(spec['versions'] as JsonObject[]).map(({ schema }) => schema)];
  return holders.flatMap((holder) => {
    if (!isJsonObject(holder) || holder['openAPIV3Schema'] === undefined) return [];
    if (isJsonObject(holder['openAPIV3Schema'])) return [holder['openAPIV3Schema']];
    delete holder['openAPIV3Schema'];
    return [];
  });
}

/** Whether a value is a CustomResourceDefinition. */
export function isDefinition(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && value['kind'] === 'CustomResourceDefinition' && isJsonObject(value['spec']);
}

/** The rules rely on these parts to exist. */
function addMissingParts(crd: JsonObject): void {
  if (!isJsonObject(crd['metadata'])) crd['metadata'] = {};
  const status = isJsonObject(crd['status']) ? crd['status'] : {};
  if (!Array.isArray(status['storedVersions'])) delete status['storedVersions'];
  crd['status'] = status;
  const spec = crd['spec'] as JsonObject;
  spec['names'] = { plural: '', kind: '', ...(isJsonObject(spec['names']) ? spec['names'] : {}) };
  if (!Array.isArray(spec['versions'])) spec['versions'] = [];
}

/** In these, null is a value. */
const VALUES = new Set(['default', 'example', 'enum']);

function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    const member = value[key]!;
    if (member === null && !VALUES.has(key)) continue;
    const kept = VALUES.has(key) && !isJsonObject(member) ? member : withoutNulls(member);
    if (key === '__proto__')
      Object.defineProperty(copy, key, { value: kept, enumerable: true, writable: true, configurable: true });
    else copy[key] = kept;
  }
  return copy;
}
