// The objects that hold the parameters of policies, read from the caches of their resources.
import type { ParamKind, ParamRef } from '@instar/admission';
import { asJson, gvkOf, type JsonValue, labelSelectorFromObject, printGvk } from '@instar/machinery';
import type { CachedObject } from '../../objects/cached-object.ts';
import { readObject } from '../../objects/forms/read-forms.ts';
import type { ResourceRegistry, ServedResource } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';

export function paramKindFault(
  registry: ResourceRegistry,
  { apiVersion, kind }: ParamKind,
): string | undefined {
  if (registry.findKind(apiVersion, kind)?.version.served === true) return undefined;
  return `failed to find resource referenced by paramKind: '${printGvk(gvkOf(apiVersion, kind))}'`;
}

/** `namespace` is that of the request. Rejects if the reference is invalid. */
export async function readParams(
  registry: ResourceRegistry,
  { apiVersion, kind }: ParamKind,
  ref: ParamRef,
  namespace: string,
): Promise<readonly JsonValue[]> {
  const { resource, version }: ServedResource = registry.findKind(apiVersion, kind)!;
  const found = await select(resource, ref, namespaceFor(resource, ref, namespace));
  return Promise.all(found.map(async (cached) => asJson(await readObject(resource.forms, cached, version))));
}

function namespaceFor({ definition }: Resource, ref: ParamRef, namespace: string): string {
  const own = ref.namespace ?? '';
  if (!definition.namespaced) {
    if (own !== '')
      throw new Error('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
    return '';
  }
  const chosen = own === '' ? namespace : own;
  if (chosen === '')
    throw new Error('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources');
  return chosen;
}

async function select(
  resource: Resource,
  { name = '', selector }: ParamRef,
  namespace: string,
): Promise<CachedObject[]> {
  await resource.cache.waitUntilStarted();
  if (name === '') {
    const { matches } = labelSelectorFromObject(selector);
    return resource.cache
      .slice(resource.prefixOf(namespace))
      .filter(({ metadata }) => matches(metadata.labels));
  }
  const key = resource.key(namespace, name);
  const known = resource.cache.get(key);
  if (known !== undefined) return [known];
  // An object that is not in the cache may have just been created by another server.
  await resource.cache.waitUntilFresh();
  const made = resource.cache.get(key);
  return made === undefined ? [] : [made];
}
