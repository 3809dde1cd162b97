// `Impersonate-User` and related headers: whom a request wants to be made as.
import { quoteGo } from '@instar/go';
import { apiErrors } from '@instar/machinery';
import type { ApiRequest } from '../../../wire/exchange.ts';

const EXTRA_PREFIX = 'impersonate-extra-';

/** As the headers say; nothing is filled in yet. */
export interface WantedUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/** Undefined: the request does not impersonate. */
export function wantedUserOf(headers: ApiRequest['headers']): WantedUser | undefined {
  // The transports ensure that this header is set if any of them is.
  if (headers['impersonate-user'] === undefined) return undefined;
  const extra = new Map<string, readonly string[]>();
  for (const name of Object.keys(headers)) {
    if (!name.startsWith(EXTRA_PREFIX)) continue;
    const key = unescaped(name.slice(EXTRA_PREFIX.length));
    extra.set(key, [...(extra.get(key) ?? []), ...values(headers[name])]);
  }
  const name = values(headers['impersonate-user'])[0] ?? '';
  const uid = values(headers['impersonate-uid'])[0] ?? '';
  const groups = values(headers['impersonate-group']);
  const wanted = { name, uid, groups, extra };
  if (name !== '') return wanted;
  if (groups.length === 0 && extra.size === 0 && uid === '') return undefined;
  throw apiErrors.badRequest(`requested ${printed(wanted)} without impersonating a user name`);
}

/**
 * The transports pass repeated headers of this family as lists, since a group may have a comma in its name.
 */
function values(header: string | string[] | undefined): readonly string[] {
  if (header === undefined) return [];
  return Array.isArray(header) ? header : [header];
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** As Go's %#v prints the user. */
function printed({ name, uid, groups, extra }: WantedUser): string {
  const list = (texts: readonly string[]): string => `{${texts.map((text) => quoteGo(text)).join(', ')}}`;
  const groupText = groups.length === 0 ? '[]string(nil)' : `[]string${list(groups)}`;
  const entries = [...extra]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, all]) => `${quoteGo(key)}:[]string${list(all)}`);
  const extraText =
    entries.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${entries.join(', ')}}`;
  return `&user.DefaultInfo{Name:${quoteGo(name)}, UID:${quoteGo(uid)}, Groups:${groupText}, Extra:${extraText}}`;
}
