// The stored CustomResourceDefinitions, in v1 whatever version they are stored in: kube-apiserver stores
// v1beta1.
import type { CustomResourceDefinition } from '@instar/crd';
import type { CachedObject } from '../../objects/cached-object.ts';
import { formNow } from '../../objects/forms/read-forms.ts';
import type { Resource } from '../../objects/resource.ts';
import { parseOwnBytes } from '../../wire/own-json.ts';

const CRD_API_VERSION = 'apiextensions.k8s.io/v1';

/** A fresh copy, for the caller to change. `crds` is the resource of definitions. */
export function parseDefinition(crds: Resource, cached: CachedObject): CustomResourceDefinition {
  const form = formNow(crds.forms, cached, crds.version(CRD_API_VERSION)!)!;
  return parseOwnBytes(form) as unknown as CustomResourceDefinition;
}

export function findDefinition(crds: Resource, name: string): CustomResourceDefinition | undefined {
  const cached = crds.cache.get(crds.key('', name));
  return cached && parseDefinition(crds, cached);
}
