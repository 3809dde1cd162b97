/**
 * URLs as CEL's url() takes them: Go's net/url, which is stricter than a browser in some places and laxer in
 * others. The strings inside are byte strings; what leaves through the exported functions is text again.
 */

import { quoteGo } from '@instar/go';
import { byteStringOf, textOfByteString } from './byte-string.ts';
import { parseAnyAddress } from './ip-address.ts';
import { escapeUrl, mustEscape, UrlSyntaxError, unescapeUrl } from './url-escape.ts';

export interface Url {
  readonly scheme: string;
  readonly opaque: string;
  /** Encoded anew, so that it can be compared. */
  readonly userinfo: string | undefined;
  readonly host: string;
  readonly path: string;
  readonly rawPath: string;
  readonly query: string | undefined;
  readonly fragment: string;
}

/** The error of an absolute URL or path that is not one, or undefined. */
export function requestUriError(text: string): string | undefined {
  const bytes = byteStringOf(text);
  const url = attempt(() => readUrl(bytes, true));
  return typeof url === 'string' ? parseError(bytes, url) : undefined;
}

/** The URL, which must be absolute or start with a slash, or the text of the error. */
export function parseUrl(text: string): Url | string {
  const wrong = requestUriError(text);
  if (wrong !== undefined) return wrong;
  const bytes = byteStringOf(text);
  const hash = bytes.indexOf('#');
  const main = hash < 0 ? bytes : bytes.slice(0, hash);
  const url = attempt(() => readUrl(main, false));
  if (typeof url === 'string') return parseError(main, url);
  if (hash < 0) return url;
  const raw = bytes.slice(hash + 1);
  const fragment = attempt(() => ({ fragment: encodedForm(unescapeUrl(raw, 'fragment'), raw, 'fragment') }));
  return typeof fragment === 'string' ? parseError(bytes, fragment) : { ...url, ...fragment };
}

function parseError(bytes: string, cause: string): string {
  return `parse ${quoteGo(textOfByteString(bytes))}: ${cause}`;
}

function attempt<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof UrlSyntaxError) return error.message;
    throw error;
  }
}

function readUrl(text: string, viaRequest: boolean): Url {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  if (/[\x00-\x1f\x7f]/.test(text)) throw new UrlSyntaxError('net/url: invalid control character in URL');
  if (text === '' && viaRequest) throw new UrlSyntaxError('empty url');
  const empty = {
    scheme: '',
    opaque: '',
    userinfo: undefined,
    host: '',
    path: '',
    rawPath: '',
    query: undefined,
    fragment: '',
  };
  if (text === '*') return { ...empty, path: '*' };
  const { scheme, rest: afterScheme } = splitScheme(text);
  const mark = afterScheme.indexOf('?');
  const query = mark < 0 ? undefined : afterScheme.slice(mark + 1);
  const rest = mark < 0 ? afterScheme : afterScheme.slice(0, mark);
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...empty, scheme, query, opaque: rest };
    refuseRelative(rest, viaRequest);
  }
  const named = scheme !== '' || (!viaRequest && !rest.startsWith('///'));
  const authority = named && rest.startsWith('//') ? rest.slice(2).split('/', 1)[0]! : undefined;
  const rawPath = authority === undefined ? rest : rest.slice(2 + authority.length);
  const place = authority === undefined ? {} : readAuthority(authority);
  return { ...empty, scheme, query, ...place, path: unescapeUrl(rawPath, 'path'), rawPath };
}

function splitScheme(text: string): { scheme: string; rest: string } {
  if (text.startsWith(':')) throw new UrlSyntaxError('missing protocol scheme');
  const match = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text);
  return match === null
    ? { scheme: '', rest: text }
    : { scheme: match[1]!.toLowerCase(), rest: text.slice(match[0].length) };
}

function refuseRelative(rest: string, viaRequest: boolean): void {
  if (viaRequest) throw new UrlSyntaxError('invalid URI for request');
  if (rest.split('/', 1)[0]!.includes(':'))
    throw new UrlSyntaxError('first path segment in URL cannot contain colon');
}

function readAuthority(authority: string): { userinfo: string | undefined; host: string } {
  const at = authority.lastIndexOf('@');
  const host = readHost(authority.slice(at + 1));
  if (at < 0) return { userinfo: undefined, host };
  const userinfo = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userinfo))
    throw new UrlSyntaxError('net/url: invalid userinfo');
  const colon = userinfo.indexOf(':');
  const parts = colon < 0 ? [userinfo] : [userinfo.slice(0, colon), userinfo.slice(colon + 1)];
  return {
    userinfo: parts.map((part) => escapeUrl(unescapeUrl(part, 'userinfo'), 'userinfo')).join(':'),
    host,
  };
}

function readHost(host: string): string {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) throw new UrlSyntaxError('invalid IP-literal');
  if (bracket === 0) return readIpLiteral(host);
  const colon = host.indexOf(':');
  if (colon >= 0) checkPort(host.slice(colon));
  return unescapeUrl(host, 'host');
}

function checkPort(colonPort: string): void {
  if (!/^(?::[0-9]*)?$/.test(colonPort))
    throw new UrlSyntaxError(`invalid port ${quoteGo(textOfByteString(colonPort))} after host`);
}

function readIpLiteral(host: string): string {
  const end = host.lastIndexOf(']');
  if (end < 0) throw new UrlSyntaxError("missing ']' in host");
  checkPort(host.slice(end + 1));
  const zone = host.indexOf('%25');
  const zoneAt = zone < 0 || zone > end ? end : zone;
  const name = unescapeUrl(host.slice(1, zoneAt), 'host') + unescapeUrl(host.slice(zoneAt, end), 'zone');
  const address = parseAnyAddress(name);
  if (typeof address === 'string') throw new UrlSyntaxError(`invalid host: ${address}`);
  if (address.family === 4) throw new UrlSyntaxError('invalid IP-literal');
  return `[${name}]${host.slice(end + 1)}`;
}

/** The form that was written, if it is a fair encoding, and otherwise the standard one. */
function encodedForm(plain: string, raw: string, part: 'path' | 'fragment'): string {
  return [...raw].every((char) => "!$&'()*+,;=:@[]%".includes(char) || !mustEscape(char, part))
    ? raw
    : escapeUrl(plain, part);
}

export function urlScheme(url: Url): string {
  return url.scheme;
}

export function urlHost(url: Url): string {
  return textOfByteString(url.host);
}

export function urlHostname(url: Url): string {
  const host = url.host.replace(/:[0-9]*$/, '');
  return textOfByteString(host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host);
}

export function urlPort(url: Url): string {
  return /:([0-9]*)$/.exec(url.host)?.[1] ?? '';
}

export function urlEscapedPath(url: Url): string {
  return url.path === '*' && url.rawPath === '' ? '*' : encodedForm(url.path, url.rawPath, 'path');
}

/** Pairs that do not decode are left out, as are those with a semicolon. */
export function urlQuery(url: Url): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const setting of url.query?.split('&') ?? []) {
    if (setting === '' || setting.includes(';')) continue;
    const equals = setting.indexOf('=');
    const pair = attempt(() => ({
      key: queryText(equals < 0 ? setting : setting.slice(0, equals)),
      value: queryText(equals < 0 ? '' : setting.slice(equals + 1)),
    }));
    if (typeof pair === 'string') continue;
    const known = values.get(pair.key);
    if (known === undefined) values.set(pair.key, [pair.value]);
    else known.push(pair.value);
  }
  return values;
}

function queryText(escaped: string): string {
  return textOfByteString(unescapeUrl(escaped, 'query'));
}

/** The whole URL in a normal form: two URLs are equal when it is. */
export function urlText(url: Url): string {
  const scheme = url.scheme === '' ? '' : `${url.scheme}:`;
  const tail =
    (url.query === undefined ? '' : `?${url.query}`) + (url.fragment === '' ? '' : `#${url.fragment}`);
  if (url.opaque !== '') return scheme + url.opaque + tail;
  const userinfo = url.userinfo === undefined ? '' : `${url.userinfo}@`;
  const named = url.host !== '' || url.userinfo !== undefined || (url.scheme !== '' && url.path !== '');
  return scheme + (named ? `//${userinfo}${escapeUrl(url.host, 'host')}` : '') + urlEscapedPath(url) + tail;
}
