// Node joins the values of a repeated header with commas, so that they can no longer be separated.
// Impersonation needs the separate values.
import type { ApiRequest } from './exchange.ts';

const PREFIX = 'impersonate-';

/**
 * The headers, with the impersonation headers as lists; the same object if there are none. If there are any,
 * `impersonate-user` is always set (possibly to an empty list), so that checking it is enough.
 */
export function withImpersonationLists(
  headers: ApiRequest['headers'],
  rawHeaders: readonly string[],
): ApiRequest['headers'] {
  let lists: Record<string, string[]> | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index]!;
    if (
      raw.length <= PREFIX.length ||
      raw.charCodeAt(PREFIX.length - 1) !== 45 ||
      !raw.toLowerCase().startsWith(PREFIX)
    )
      continue;
    lists ??= { 'impersonate-user': [] };
    (lists[raw.toLowerCase()] ??= []).push(rawHeaders[index + 1]!);
  }
  return lists === undefined ? headers : { ...headers, ...lists };
}
