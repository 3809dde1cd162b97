// What a decision looks up in roles: the attributes of a request, with the keys under which rules are filed.
import type { Attributes } from '../authorizer.ts';

export interface AccessQuery {
  readonly verb: string;
  readonly isResourceRequest: boolean;
  readonly group: string;
  readonly name: string;
  readonly path: string;
  /** The entries of `resources` of a rule that match the request; for paths, one common key. */
  readonly keys: readonly string[];
}

/** Rules about paths are filed under this key: they match by prefix, so that they are tried one by one. */
export const PATHS = '\0paths';
const PATH_KEYS = [PATHS];

export function accessQuery(attributes: Attributes): AccessQuery {
  const { verb, isResourceRequest, group, name, path } = attributes;
  return { verb, isResourceRequest, group, name, path, keys: keysOf(attributes) };
}

function keysOf({ isResourceRequest, resource, subresource }: Attributes): readonly string[] {
  if (!isResourceRequest) return PATH_KEYS;
  return subresource === '' ? [resource, '*'] : [`${resource}/${subresource}`, '*', `*/${subresource}`];
}
