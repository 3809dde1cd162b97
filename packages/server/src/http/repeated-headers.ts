// Node joins a header that comes several times with commas, which loses where one value ends. Impersonation needs its values apart.
import type { ApiRequest } from './exchange.ts';

const FAMILY = 'impersonate-';

/** The headers with those of the impersonation family as lists; the same object when there are none. */
export function withImpersonationLists(headers: ApiRequest['headers'], rawHeaders: readonly string[]): ApiRequest['headers'] {
  if (headers['impersonate-user'] === undefined && headers['impersonate-group'] === undefined) return headers;
  const out: Record<string, string | string[] | undefined> = { ...headers };
  for (const name of Object.keys(out)) if (name.startsWith(FAMILY)) out[name] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const list = out[rawHeaders[index]!.toLowerCase()];
    if (rawHeaders[index]!.toLowerCase().startsWith(FAMILY) && Array.isArray(list)) list.push(rawHeaders[index + 1]!);
  }
  return out;
}
