// Decodes the result of a webhook's patch to an object of its kind. It is defaulted like the body of a
// client, but not yet pruned: other webhooks get all of it, as upstream.
import {
  asKubeObject,
  decodeObjectMeta,
  encodeJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@instar/machinery';
import type { VersionDefinition } from '../../objects/definition.ts';
import type { Resource } from '../../objects/resource.ts';

/** Throws an Error with upstream's text. */
export function interpretPatched(patched: JsonValue, resource: Resource): KubeObject {
  if (!isJsonObject(patched)) throw new Error("couldn't get version/kind; json parse error");
  const { apiVersion, kind } = patched;
  if (typeof kind !== 'string' || kind === '')
    throw new Error(`Object 'Kind' is missing in '${encodeJson(patched)}'`);
  const version = typeof apiVersion === 'string' ? resource.version(apiVersion) : undefined;
  return resource.definition.typed ? decodeTyped(patched, version, resource) : decodeCustom(patched, version);
}

function decodeTyped(
  patched: JsonObject,
  version: VersionDefinition | undefined,
  { definition }: Resource,
): KubeObject {
  const { kind } = definition.names;
  if (version?.decode === undefined || patched['kind'] !== kind) {
    throw new Error(
      `no kind "${String(patched['kind'])}" is registered for version "${String(patched['apiVersion'])}"`,
    );
  }
  const decoded = version.decode(patched);
  if ('error' in decoded) throw new Error(decoded.error);
  const { apiVersion: _version, kind: _kind, ...rest } = decoded.object;
  return asKubeObject({ apiVersion: version.apiVersion, kind, ...rest });
}

function decodeCustom(patched: JsonObject, version: VersionDefinition | undefined): KubeObject {
  const decoded = decodeObjectMeta(patched['metadata'] ?? {});
  if ('fault' in decoded) throw new Error(decoded.fault);
  const object: JsonObject = { ...patched, metadata: decoded.meta as unknown as JsonObject };
  version?.schema.applyDefaults(object);
  return asKubeObject(object);
}
