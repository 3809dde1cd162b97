// Tokens whose check is expensive are checked once in a while: what was accepted counts for that time, and
// requests that come together wait for one check. Refusals are not cached.
import { ExpiringAnswers } from '../expiring-answers.ts';
import { type Identified, isIdentified, type TokenAuthenticator, type Verdict } from './verdict.ts';

/** As kube-apiserver. */
const TTL_MS = 10_000;
const MAX_TOKENS = 4096;

export function cachedTokens(
  tokens: TokenAuthenticator,
  { ttlMs = TTL_MS, now = Date.now }: { readonly ttlMs?: number; readonly now?: () => number } = {},
): TokenAuthenticator {
  const known = new ExpiringAnswers<Identified>(MAX_TOKENS, now);
  const checking = new Map<string, Promise<Verdict>>();
  return {
    authenticateToken(token, audiences) {
      const key = audiences.length === 0 ? token : JSON.stringify([token, ...audiences]);
      const cached = known.get(key) ?? checking.get(key);
      if (cached !== undefined) return cached;
      const answer = tokens.authenticateToken(token, audiences);
      if (!(answer instanceof Promise)) return answer;
      const checked = answer
        .then((verdict) => {
          if (isIdentified(verdict)) known.set(key, verdict, ttlMs);
          return verdict;
        })
        .finally(() => checking.delete(key));
      checking.set(key, checked);
      return checked;
    },
  };
}
