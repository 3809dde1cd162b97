// Who asks: a bearer token, else a client certificate. A credential that is wrong is an error even where none is needed.
import { hash } from 'node:crypto';
import type { ApiRequest, UserInfo } from '../http/exchange.ts';
import { authenticatedUser, PRIVILEGED_GROUP } from './users.ts';

export interface TokenUser {
  readonly token: string;
  readonly user: UserInfo;
}

export interface Authenticator {
  /** Undefined: no credential was shown. */
  authenticate(request: Pick<ApiRequest, 'headers' | 'clientCertificate'>): UserInfo | 'invalid' | undefined;
  userOfToken(token: string): UserInfo | undefined;
}

export const adminUser = (token: string): TokenUser => ({ token, user: authenticatedUser('instar-admin', '', [PRIVILEGED_GROUP]) });

export function createAuthenticator(tokens: readonly TokenUser[]): Authenticator {
  const userOfToken = tokenLookup(tokens);
  return {
    userOfToken,
    authenticate({ headers, clientCertificate }) {
      const token = bearerToken(headers.authorization);
      if (token !== undefined) return userOfToken(token) ?? 'invalid';
      if (clientCertificate === undefined) return undefined;
      const { commonName, organizations } = clientCertificate;
      return commonName === '' ? 'invalid' : authenticatedUser(commonName, '', organizations);
    },
  };
}

function bearerToken(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  const [scheme, token] = header.trim().split(' ', 2);
  return scheme?.toLowerCase() === 'bearer' && token ? token : undefined;
}

/** Tokens are looked up by their SHA-256, so that how long a look-up takes says nothing about how much of a guess is right. */
function tokenLookup(tokens: readonly TokenUser[]): (token: string) => UserInfo | undefined {
  const known = new Map(tokens.map(({ token, user }) => [digestOf(token), user]));
  return (token) => known.get(digestOf(token));
}

const digestOf = (token: string): string => hash('sha256', token, 'base64');
