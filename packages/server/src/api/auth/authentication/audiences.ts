// Audiences: whom a credential is meant for.
import { isIdentified, type TokenAuthenticator, type Verdict } from './verdict.ts';

/** Those of `wanted` that a credential is for, in the order of `wanted`. */
export const sharedAudiences = (own: readonly string[], wanted: readonly string[]): string[] =>
  wanted.filter((audience) => own.includes(audience));

/** Tokens that name no audience are for this server, and for no one else. */
export function forServerOnly(server: readonly string[], tokens: TokenAuthenticator): TokenAuthenticator {
  return {
    authenticateToken(token, wanted) {
      if (wanted.length === 0) return tokens.authenticateToken(token, wanted);
      // Of a request they are the same list: no need to compare.
      const audiences = wanted === server ? server : sharedAudiences(server, wanted);
      if (audiences.length === 0) return undefined;
      const answer = tokens.authenticateToken(token, wanted);
      return answer instanceof Promise
        ? answer.then((verdict) => forAudiences(verdict, audiences))
        : forAudiences(answer, audiences);
    },
  };
}

const forAudiences = (verdict: Verdict, audiences: readonly string[]): Verdict =>
  isIdentified(verdict) ? { ...verdict, audiences } : verdict;
