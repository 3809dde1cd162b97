import type { ApiRequest } from '../../wire/exchange.ts';
import type { Attributes } from './authorizer.ts';

/** What a request asks permission for. */
export function attributesOf({ user, info, path }: ApiRequest): Attributes {
  const { isResourceRequest, group, version, resource, subresource, namespace, name } = info;
  const verb = isResourceRequest ? info.verb : info.nonResourceVerb;
  return { user, verb, isResourceRequest, group, version, resource, subresource, namespace, name, path };
}
