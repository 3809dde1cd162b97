// Go's net/url, which is stricter than a browser in some respects and more lenient in others: url.Parse and
// url.ParseRequestURI, and the parts of a URL. Nothing is resolved.
import { byteStringOf, quoteByteString, textOfByteString } from './byte-string.ts';
import { parseIp } from './ip.ts';
import { escapeUrl, mustEscape, UrlSyntaxError, unescapeUrl } from './url-escape.ts';

/** A URL as Go's url.URL holds it. */
export interface GoUrl {
  readonly scheme: string;
  /** The user, optionally with a colon and a password, encoded again; undefined if there is no @. */
  readonly userinfo: string | undefined;
  readonly host: string;
  /** Unescaped. */
  readonly path: string;
  readonly escapedPath: string;
  /** What follows the question mark; undefined if there is none. */
  readonly query: string | undefined;
  /** Unescaped. */
  readonly fragment: string;
  /** The normalized URL, as String() returns it: equal URLs have equal texts. */
  readonly text: string;
}

/** Go's url.Parse: the URL, or the complete error: `parse "…": invalid URL escape "%zz"`. */
export function parseGoUrl(text: string): GoUrl | string {
  const bytes = byteStringOf(text);
  const hash = bytes.indexOf('#');
  const main = hash < 0 ? bytes : bytes.slice(0, hash);
  const parts = attempt(() => readParts(main, false));
  if (typeof parts === 'string') return parseError(main, parts);
  const raw = hash < 0 ? '' : bytes.slice(hash + 1);
  const fragment = attempt(() => ({ plain: unescapeUrl(raw, 'fragment') }));
  return typeof fragment === 'string' ? parseError(bytes, fragment) : urlOf(parts, fragment.plain, raw);
}

/** Go's url.ParseRequestURI: absolute or a path, and what looks like a fragment is part of the path. */
export function parseGoRequestUri(text: string): GoUrl | string {
  const bytes = byteStringOf(text);
  const parts = attempt(() => readParts(bytes, true));
  return typeof parts === 'string' ? parseError(bytes, parts) : urlOf(parts, '', '');
}

/** The error of url.ParseRequestURI, or undefined. */
export function requestUriError(text: string): string | undefined {
  const bytes = byteStringOf(text);
  const parts = attempt(() => readParts(bytes, true));
  return typeof parts === 'string' ? parseError(bytes, parts) : undefined;
}

function parseError(bytes: string, cause: string): string {
  return `parse ${quoteByteString(bytes)}: ${cause}`;
}

function attempt<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof UrlSyntaxError) return error.message;
    throw error;
  }
}

/** A URL in byte strings, as written unless noted otherwise. */
interface Parts {
  readonly scheme: string;
  readonly opaque: string;
  /** Whether two slashes follow the scheme. */
  readonly hasAuthority: boolean;
  /** Encoded again. */
  readonly userinfo: string | undefined;
  /** Unescaped. */
  readonly host: string;
  /** Unescaped. */
  readonly path: string;
  readonly rawPath: string;
  readonly query: string | undefined;
}

function readParts(text: string, viaRequest: boolean): Parts {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  if (/[\x00-\x1f\x7f]/.test(text)) throw new UrlSyntaxError('net/url: invalid control character in URL');
  if (text === '' && viaRequest) throw new UrlSyntaxError('empty url');
  const empty = {
    scheme: '',
    opaque: '',
    hasAuthority: false,
    userinfo: undefined,
    host: '',
    path: '',
    rawPath: '',
    query: undefined,
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
  const place = authority === undefined ? {} : readAuthority(authority, scheme);
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

function readAuthority(
  authority: string,
  scheme: string,
): { hasAuthority: true; userinfo: string | undefined; host: string } {
  const at = authority.lastIndexOf('@');
  const host = readHost(authority.slice(at + 1), scheme);
  if (at < 0) return { hasAuthority: true, userinfo: undefined, host };
  const userinfo = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userinfo))
    throw new UrlSyntaxError('net/url: invalid userinfo');
  const colon = userinfo.indexOf(':');
  const parts = colon < 0 ? [userinfo] : [userinfo.slice(0, colon), userinfo.slice(colon + 1)];
  return {
    hasAuthority: true,
    userinfo: parts.map((part) => escapeUrl(unescapeUrl(part, 'userinfo'), 'userinfo')).join(':'),
    host,
  };
}

function readHost(host: string, scheme: string): string {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) throw new UrlSyntaxError('invalid IP-literal');
  if (bracket === 0) return readIpLiteral(host);
  // Only http and https forbid further colons in a host: URLs of databases list several hosts with ports.
  const isWeb = scheme === 'http' || scheme === 'https';
  const colon = isWeb ? host.indexOf(':') : host.lastIndexOf(':');
  if (colon >= 0) checkPort(host.slice(colon));
  return unescapeUrl(host, 'host');
}

function checkPort(colonPort: string): void {
  if (!/^(?::[0-9]*)?$/.test(colonPort))
    throw new UrlSyntaxError(`invalid port ${quoteByteString(colonPort)} after host`);
}

function readIpLiteral(host: string): string {
  const end = host.lastIndexOf(']');
  if (end < 0) throw new UrlSyntaxError("missing ']' in host");
  checkPort(host.slice(end + 1));
  const zone = host.indexOf('%25');
  const zoneAt = zone < 0 || zone > end ? end : zone;
  const name = unescapeUrl(host.slice(1, zoneAt), 'host') + unescapeUrl(host.slice(zoneAt, end), 'zone');
  const address = parseIp(name);
  if (typeof address === 'string') throw new UrlSyntaxError(`invalid host: ${address}`);
  if (address.family === 4) throw new UrlSyntaxError('invalid IP-literal');
  return `[${name}]${host.slice(end + 1)}`;
}

function urlOf(parts: Parts, fragment: string, rawFragment: string): GoUrl {
  const { scheme, userinfo, host, query, path, rawPath } = parts;
  const escapedPath = path === '*' && rawPath === '' ? '*' : encodedForm(path, rawPath, 'path');
  return {
    scheme,
    userinfo,
    host: textOfByteString(host),
    path: textOfByteString(path),
    escapedPath,
    query: query === undefined ? undefined : textOfByteString(query),
    fragment: textOfByteString(fragment),
    text: textOf(parts, escapedPath, encodedForm(fragment, rawFragment, 'fragment')),
  };
}

/** The encoding as written, if it is valid, otherwise the standard one. */
function encodedForm(plain: string, raw: string, part: 'path' | 'fragment'): string {
  return [...raw].every((char) => "!$&'()*+,;=:@[]%".includes(char) || !mustEscape(char, part))
    ? raw
    : escapeUrl(plain, part);
}

function textOf(parts: Parts, escapedPath: string, escapedFragment: string): string {
  const scheme = parts.scheme === '' ? '' : `${parts.scheme}:`;
  const query = parts.query === undefined ? '' : `?${textOfByteString(parts.query)}`;
  const tail = query + (escapedFragment === '' ? '' : `#${escapedFragment}`);
  if (parts.opaque !== '') return scheme + textOfByteString(parts.opaque) + tail;
  const userinfo = parts.userinfo === undefined ? '' : `${parts.userinfo}@`;
  const named =
    parts.hasAuthority &&
    (parts.host !== '' || parts.userinfo !== undefined || (parts.scheme !== '' && parts.path !== ''));
  return scheme + (named ? `//${userinfo}${escapeUrl(parts.host, 'host')}` : '') + escapedPath + tail;
}

/** A path as String() escapes it. */
export function escapeUrlPath(path: string): string {
  return escapeUrl(byteStringOf(path), 'path');
}

/** The host without its port, and without the brackets of an IPv6 address. */
export function urlHostname(url: GoUrl): string {
  const host = url.host.replace(/:[0-9]*$/, '');
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}

/** The port, or an empty string. */
export function urlPort(url: GoUrl): string {
  return /:([0-9]*)$/.exec(url.host)?.[1] ?? '';
}

/** The values of each key. Pairs that do not decode are omitted, as are those with a semicolon. */
export function urlQuery(url: GoUrl): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const setting of byteStringOf(url.query ?? '').split('&')) {
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
