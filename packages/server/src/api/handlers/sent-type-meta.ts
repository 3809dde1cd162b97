// The apiVersion and kind that a body says it has, read as upstream does before it decodes anything else.
import {
  apiVersionFault,
  goJsonType,
  isJsonObject,
  type JsonValue,
  parseApiVersion,
} from '@instar/machinery';

const GO_TYPE =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Empty where the body does not say it. */
export interface SentTypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

export function sentTypeMeta(value: JsonValue): SentTypeMeta | { readonly fault: string } {
  if (value !== null && !isJsonObject(value))
    return unreadable(`${goJsonType(value)} into Go value of type ${GO_TYPE}`);
  const apiVersion = value?.['apiVersion'] ?? '';
  const kind = value?.['kind'] ?? '';
  if (typeof apiVersion !== 'string')
    return unreadable(`${goJsonType(apiVersion)} into Go struct field .apiVersion of type string`);
  if (typeof kind !== 'string')
    return unreadable(`${goJsonType(kind)} into Go struct field .kind of type string`);
  if (parseApiVersion(apiVersion) === undefined) return { fault: apiVersionFault(apiVersion) };
  // Of the core group, as "v1" is.
  return { apiVersion: apiVersion.startsWith('/') ? apiVersion.slice(1) : apiVersion, kind };
}

const unreadable = (why: string) => ({
  fault: `couldn't get version/kind; json parse error: json: cannot unmarshal ${why}`,
});
