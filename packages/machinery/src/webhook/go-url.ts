// Go's url.Parse, as far as validation shows it: the parts of a URL, or Go's complaint. Nothing is resolved
// or normalised.
import { quoteGo } from '@instar/go';

export interface GoUrl {
  readonly scheme: string;
  /** What stands before the @, if there is one. */
  readonly user: string | undefined;
  readonly host: string;
  readonly query: string;
  readonly fragment: string;
}

export type ParsedUrl = GoUrl | { readonly error: string };

/** The error is complete: `parse "…": invalid URL escape "%zz"`. */
export function parseGoUrl(text: string): ParsedUrl {
  const [url, fragment] = cut(text, '#');
  const parsed = parseBeforeFragment(url);
  if (typeof parsed === 'string') return { error: `parse ${quoteGo(url)}: ${parsed}` };
  const fault = escapeFault(fragment);
  return fault === undefined ? { ...parsed, fragment } : { error: `parse ${quoteGo(text)}: ${fault}` };
}

/** Go's url.ParseRequestURI: absolute, and what looks like a fragment is part of the path. */
export function parseGoRequestUri(text: string): ParsedUrl {
  const parsed = text === '' ? 'empty url' : parseBeforeFragment(text, true);
  return typeof parsed === 'string'
    ? { error: `parse ${quoteGo(text)}: ${parsed}` }
    : { ...parsed, fragment: '' };
}

function cut(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function parseBeforeFragment(url: string, viaRequest = false): Omit<GoUrl, 'fragment'> | string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what Go refuses
  if (/[\u0000-\u001f\u007f]/.test(url)) return 'net/url: invalid control character in URL';
  if (url.startsWith(':')) return 'missing protocol scheme';
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(url)?.[1] ?? '';
  const [rest, query] = cut(scheme === '' ? url : url.slice(scheme.length + 1), '?');
  const none = { scheme: scheme.toLowerCase(), user: undefined, host: '', query };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return none;
    if (viaRequest) return 'invalid URI for request';
    if (rest.split('/')[0]!.includes(':')) return 'first path segment in URL cannot contain colon';
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || (!viaRequest && !rest.startsWith('///')));
  if (!hasAuthority) return escapeFault(rest) ?? none;
  const slash = rest.indexOf('/', 2);
  const authority = parseAuthority(slash < 0 ? rest.slice(2) : rest.slice(2, slash));
  if (typeof authority === 'string') return authority;
  return escapeFault(slash < 0 ? '' : rest.slice(slash)) ?? { ...none, ...authority };
}

function parseAuthority(authority: string): Pick<GoUrl, 'user' | 'host'> | string {
  const at = authority.lastIndexOf('@');
  const user = at < 0 ? undefined : authority.slice(0, at);
  const host = authority.slice(at + 1);
  const fault = hostFault(host);
  if (fault !== undefined) return fault;
  if (user !== undefined && !/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user))
    return 'net/url: invalid userinfo';
  return { user, host };
}

function hostFault(host: string): string | undefined {
  const portAt = host.startsWith('[') ? host.lastIndexOf(']') + 1 : host.lastIndexOf(':');
  if (host.startsWith('[') && portAt === 0) return "missing ']' in host";
  const port = portAt < 0 ? '' : host.slice(portAt);
  if (!/^(:\d*)?$/.test(port)) return `invalid port ${quoteGo(port)} after host`;
  const fault = escapeFault(host);
  if (fault !== undefined) return fault;
  const strange = /[\s^`{}|\\#]/.exec(host)?.[0];
  return strange === undefined ? undefined : `invalid character ${quoteGo(strange)} in host name`;
}

function escapeFault(text: string): string | undefined {
  const at = text.search(/%(?![0-9A-Fa-f]{2})/);
  return at < 0 ? undefined : `invalid URL escape ${quoteGo(text.slice(at, at + 3))}`;
}
