// Decodes the result of a webhook's patch to an object of its kind. It is defaulted like the body of a
// client, but not yet pruned: other webhooks get all of it, as upstream.
import { quoteGo } from '@instar/go';
import {
  asKubeObject,
  decodeObjectMeta,
  encodeGoJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@instar/machinery';
import type { VersionDefinition } from '../../objects/definition.ts';
import type { Resource } from '../../objects/resource.ts';

/**
 * `current` is the apiVersion of the object before the patch; with `strict` unknown fields of built-in kinds
 * are refused. Throws an Error with upstream's text.
 */
export function interpretPatched(
  patched: JsonValue,
  resource: Resource,
  current: string,
  { strict = false } = {},
): KubeObject {
  if (!isJsonObject(patched)) throw new Error("couldn't get version/kind; json parse error");
  if (resource.definition.typed) return decodeTyped(patched, current, resource, strict);
  const { apiVersion, kind } = patched;
  if (typeof kind !== 'string' || kind === '')
    throw new Error(`Object 'Kind' is missing in '${encodeGoJson(patched)}'`);
  return decodeCustom(patched, typeof apiVersion === 'string' ? resource.version(apiVersion) : undefined);
}

/** What the patch has removed of apiVersion and kind is that of the object. */
function decodeTyped(patched: JsonObject, current: string, resource: Resource, strict: boolean): KubeObject {
  const { kind } = resource.definition.names;
  const sentVersion = String(patched['apiVersion'] ?? current);
  const sentKind = String(patched['kind'] ?? kind);
  const version = resource.version(sentVersion);
  if (version?.decode === undefined || sentKind !== kind)
    throw new Error(
      `no kind "${sentKind}" is registered for version "${sentVersion}" in scheme "pkg/runtime/scheme.go:111"`,
    );
  const decoded = version.decode(patched);
  if ('error' in decoded) throw new Error(decoded.error);
  if (strict && decoded.unknownFields.length > 0) {
    const unknown = decoded.unknownFields.map((path) => `unknown field ${quoteGo(path)}`);
    throw new Error(`strict decoding error: ${unknown.join(', ')}`);
  }
  const { apiVersion: _version, kind: _kind, ...rest } = decoded.object;
  const object = asKubeObject({ apiVersion: version.apiVersion, kind, ...rest });
  if (object.metadata.managedFields?.length === 0) delete object.metadata.managedFields;
  return object;
}

function decodeCustom(patched: JsonObject, version: VersionDefinition | undefined): KubeObject {
  const decoded = decodeObjectMeta(patched['metadata'] ?? {});
  if ('fault' in decoded) throw new Error(decoded.fault);
  const object: JsonObject = { ...patched, metadata: decoded.meta as unknown as JsonObject };
  version?.schema.applyDefaults(object);
  return asKubeObject(object);
}
