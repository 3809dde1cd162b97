// Who asks: a bearer token, else a client certificate. A credential that is wrong is an error even where none
// is needed.
import { hash } from 'node:crypto';
import type { ApiRequest, UserInfo } from '../../wire/exchange.ts';
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
 * Tokens are looked up by their SHA-256, so that how long a look-up takes says nothing about how much of a
 * guess is right. Tokens that were right are remembered as they are: a wrong one gets past the seeded hash of
 * that Map only by being the same.
 */
function tokenLookup(tokens: readonly TokenUser[]): (token: string) => UserInfo | undefined {
  const known = new Map(tokens.map(({ token, user }) => [digestOf(token), user]));
  const seen = new Map<string, UserInfo>();
  return (token) => {
    let user = seen.get(token);
    if (user === undefined) {
      user = known.get(digestOf(token));
      if (user !== undefined) seen.set(token, user);
    }
    return user;
  };
}

const digestOf = (token: string): string => hash('sha256', token, 'base64');
