// The 403 of kube-apiserver: who cannot do what, where, and why.

import { quoteGo } from '@instar/go';
import { ApiError, apiErrors } from '@instar/machinery';
import type { Attributes } from './authorizer.ts';

/** Refused by the authorizer before any handler: browsers must not guess the type of such a response. */
export class NotAuthorized extends ApiError {}

export const notAuthorized = (attributes: Attributes, reason: string): ApiError =>
  new NotAuthorized(forbidden(attributes, reason).status);

export function forbidden(attributes: Attributes, reason: string): ApiError {
  const message = withoutHtml(sentence(attributes));
  return apiErrors.forbidden(attributes, attributes.name, reason === '' ? message : `${message}: ${reason}`);
}

function sentence({
  user,
  verb,
  isResourceRequest,
  path,
  resource,
  subresource,
  group,
  namespace,
}: Attributes): string {
  if (!isResourceRequest) return `User ${quoteGo(user.name)} cannot ${verb} path ${quoteGo(path)}`;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quoteGo(namespace)}`;
  return `User ${quoteGo(user.name)} cannot ${verb} resource ${quoteGo(what)} in API group ${quoteGo(group)} ${where}`;
}

/** The text repeats what the caller sent: it must not read as HTML. */
export const withoutHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
