// A proxy in front of the server that has authenticated the user itself, and names the user in headers. It
// proves with a client certificate of its own CA that it may. Without that the headers mean nothing.
import type { ApiRequest } from '../../../wire/exchange.ts';
import { knownUser } from '../users.ts';
import type { Credentials, RequestAuthenticator, Verdict } from './verdict.ts';

/** --requestheader-*. Names of headers are case-insensitive. */
export interface FrontProxyHeaders {
  /** Common names of the certificates; none: every certificate of the CA. */
  readonly allowedNames: readonly string[];
  /** The first header with a value counts. */
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  /** All values of all of them. */
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

type Certificate = NonNullable<ApiRequest['clientCertificate']>;

export function frontProxy(
  settings: FrontProxyHeaders,
  isTrusted: (certificate: Certificate) => boolean,
): RequestAuthenticator {
  const { allowedNames } = settings;
  return {
    authenticate(request): Verdict {
      const { clientCertificate: certificate } = request;
      if (certificate === undefined) return undefined;
      // Whether that is an error is decided by the client CA, which may have signed the certificate.
      if (certificate.fault !== undefined || !isTrusted(certificate)) return undefined;
      if (allowedNames.length > 0 && !allowedNames.includes(certificate.commonName))
        return { refused: [`x509: subject with cn=${certificate.commonName} is not in the allowed list`] };
      return userOf(request, settings);
    },
  };
}

function userOf({ rawHeaders = [] }: Credentials, settings: FrontProxyHeaders): Verdict {
  const headers = separateValues(rawHeaders);
  const first = (names: readonly string[]): string =>
    names.map((name) => headers.get(name.toLowerCase())?.[0] ?? '').find((value) => value !== '') ?? '';
  const name = first(settings.usernameHeaders);
  if (name === '') return undefined;
  const groups = settings.groupHeaders
    .flatMap((header) => headers.get(header.toLowerCase()) ?? [])
    .filter((group) => group !== '');
  return {
    user: knownUser({
      name,
      uid: first(settings.uidHeaders),
      groups,
      extra: extraOf(headers, settings.extraHeaderPrefixes),
    }),
  };
}

/** By lower-case name; Node joins the values of a header that is repeated. */
function separateValues(rawHeaders: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    const values = headers.get(name);
    if (values === undefined) headers.set(name, [rawHeaders[index + 1]!]);
    else values.push(rawHeaders[index + 1]!);
  }
  return headers;
}

function extraOf(
  headers: ReadonlyMap<string, readonly string[]>,
  prefixes: readonly string[],
): Readonly<Record<string, readonly string[]>> {
  const extra = new Map<string, string[]>();
  for (const prefix of prefixes.map((text) => text.toLowerCase()))
    for (const [name, values] of headers)
      if (name.startsWith(prefix)) {
        const key = unescaped(name.slice(prefix.length));
        extra.set(key, [...(extra.get(key) ?? []), ...values]);
      }
  return Object.fromEntries(extra);
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
