// Node joins a header that comes several times with commas, which loses where one value ends. Impersonation
// needs its values apart.
import type { ApiRequest } from './exchange.ts';

const FAMILY = 'impersonate-';

/**
 * The headers with those of the impersonation family as lists; the same object when there are none. When
 * there are any, there is always an `impersonate-user` (perhaps an empty list), so that one look tells
 * whether there is anything to do.
 */
export function withImpersonationLists(
  headers: ApiRequest['headers'],
  rawHeaders: readonly string[],
): ApiRequest['headers'] {
  let lists: Record<string, string[]> | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index]!;
    if (
      raw.length <= FAMILY.length ||
      raw.charCodeAt(FAMILY.length - 1) !== 45 ||
      !raw.toLowerCase().startsWith(FAMILY)
    )
      continue;
    lists ??= { 'impersonate-user': [] };
    (lists[raw.toLowerCase()] ??= []).push(rawHeaders[index + 1]!);
  }
  return lists === undefined ? headers : { ...headers, ...lists };
}
