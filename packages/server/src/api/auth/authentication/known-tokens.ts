// Tokens whose users are known from the start: those of --token-auth-file, and the admin's.
import { hash } from 'node:crypto';
import type { UserInfo } from '../../../wire/exchange.ts';
import type { Identified, TokenAuthenticator } from './verdict.ts';

export interface TokenUser {
  readonly token: string;
  readonly user: UserInfo;
}

/**
 * Tokens are looked up by their SHA-256, so that the time of a lookup does not reveal how much of a guess is
 * right. Valid tokens are then cached as they are: the hash of that Map is seeded, so its time reveals
 * nothing either.
 */
export function knownTokens(tokens: readonly TokenUser[]): TokenAuthenticator {
  const byDigest = new Map(tokens.map(({ token, user }) => [digestOf(token), { user }]));
  // Tokens of other sorts mostly differ in length: they need no digest.
  const lengths = new Set(tokens.map(({ token }) => token.length));
  const cached = new Map<string, Identified>();
  return {
    authenticateToken(token) {
      let identified = cached.get(token);
      if (identified === undefined && lengths.has(token.length)) {
        identified = byDigest.get(digestOf(token));
        if (identified !== undefined) cached.set(token, identified);
      }
      return identified;
    },
  };
}

const digestOf = (token: string): string => hash('sha256', token, 'base64');
