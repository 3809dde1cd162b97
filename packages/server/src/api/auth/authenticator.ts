// Authenticates by a bearer token, else by a client certificate. An invalid credential is an error even if
// none is needed.
import { hash } from 'node:crypto';
import type { ApiRequest, UserInfo } from '../../wire/exchange.ts';
import { authenticatedUser, PRIVILEGED_GROUP } from './users.ts';

export interface TokenUser {
  readonly token: string;
  readonly user: UserInfo;
}

export interface Authenticator {
  /** Undefined: the request has no credential. */
  authenticate(request: Pick<ApiRequest, 'headers' | 'clientCertificate'>): UserInfo | 'invalid' | undefined;
  userOfToken(token: string): UserInfo | undefined;
}

export const adminUser = (token: string): TokenUser => ({
  token,
  user: authenticatedUser('instar-admin', '', [PRIVILEGED_GROUP]),
});

export function createAuthenticator(tokens: readonly TokenUser[]): Authenticator {
  const userOfToken = tokenLookup(tokens);
  return {
    userOfToken,
    authenticate(request) {
      const token = bearerToken(request.headers['authorization']);
      if (token !== undefined) return userOfToken(token) ?? 'invalid';
      if (request.clientCertificate === undefined) return undefined;
      const { commonName, organizations } = request.clientCertificate;
      return commonName === '' ? 'invalid' : authenticatedUser(commonName, '', organizations);
    },
  };
}

function bearerToken(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  const match = /^ *bearer +(\S+)/i.exec(header);
  return match === null ? undefined : match[1];
}

/**
 * Tokens are looked up by their SHA-256, so that the time of a lookup does not reveal how much of a guess is
 * right. Valid tokens are then cached as they are: the hash of that Map is seeded, so its time reveals
 * nothing either.
 */
function tokenLookup(tokens: readonly TokenUser[]): (token: string) => UserInfo | undefined {
  const byDigest = new Map(tokens.map(({ token, user }) => [digestOf(token), user]));
  const cached = new Map<string, UserInfo>();
  return (token) => {
    let user = cached.get(token);
    if (user === undefined) {
      user = byDigest.get(digestOf(token));
      if (user !== undefined) cached.set(token, user);
    }
    return user;
  };
}

const digestOf = (token: string): string => hash('sha256', token, 'base64');
