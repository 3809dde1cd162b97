// Asks a webhook with a TokenReview. Answers are cached for a while. The network is passed in.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { ExpiringAnswers } from '../expiring-answers.ts';
import { knownUser } from '../users.ts';
import { sharedAudiences } from './audiences.ts';
import type { TokenAuthenticator, Verdict } from './verdict.ts';

/** A webhook that authenticates tokens. */
export interface WebhookAuthentication {
  readonly version: 'v1' | 'v1beta1';
  readonly cacheTtlMs: number;
  /** Sends a TokenReview and returns the body of the answer; rejects if there is none. */
  send(review: object): Promise<unknown>;
}

const GROUP = 'authentication.k8s.io';
const MAX_ANSWERS = 4096;

/** `own`: the audiences of a token for which the webhook names none. */
export function webhookTokens(
  webhook: WebhookAuthentication,
  own: readonly string[],
  now: () => number = Date.now,
): TokenAuthenticator {
  const known = new ExpiringAnswers<{ readonly verdict: Verdict }>(MAX_ANSWERS, now);
  const asking = new Map<string, Promise<Verdict>>();
  const ask = async (token: string, wanted: readonly string[], key: string): Promise<Verdict> => {
    try {
      const verdict = verdictOf(statusOf(await webhook.send(reviewOf(webhook, token, wanted))), own, wanted);
      known.set(key, { verdict }, webhook.cacheTtlMs);
      return verdict;
    } catch (error) {
      // Not cached: the next request may find the webhook again.
      return { refused: [error instanceof Error ? error.message : String(error)] };
    } finally {
      asking.delete(key);
    }
  };
  return {
    authenticateToken(token, wanted) {
      const key = JSON.stringify([token, ...wanted]);
      const cached = known.get(key);
      if (cached !== undefined) return cached.verdict;
      let answer = asking.get(key);
      if (answer === undefined) asking.set(key, (answer = ask(token, wanted, key)));
      return answer;
    },
  };
}

const reviewOf = (
  { version }: WebhookAuthentication,
  token: string,
  audiences: readonly string[],
): object => ({
  kind: 'TokenReview',
  apiVersion: `${GROUP}/${version}`,
  metadata: {},
  spec: { token, ...(audiences.length > 0 && { audiences: [...audiences] }) },
  status: { user: {} },
});

function statusOf(answer: unknown): JsonObject {
  const status = isJsonObject(answer as JsonValue) ? (answer as JsonObject)['status'] : undefined;
  if (status === undefined || !isJsonObject(status))
    throw new Error('the authentication webhook did not answer with a TokenReview');
  return status;
}

function verdictOf(status: JsonObject, own: readonly string[], wanted: readonly string[]): Verdict {
  const given = textsOf(status['audiences']);
  const audiences = sharedAudiences(wanted, given.length > 0 ? given : own);
  if (wanted.length > 0 && audiences.length === 0) return undefined;
  const { authenticated, error } = status;
  if (authenticated !== true)
    return typeof error === 'string' && error !== '' ? { refused: [error] } : undefined;
  const user = status['user'] ?? null;
  if (!isJsonObject(user) || typeof user['username'] !== 'string' || user['username'] === '')
    return { refused: ['the authentication webhook names no user'] };
  const extra = user['extra'] ?? null;
  return {
    user: knownUser({
      name: user['username'],
      uid: typeof user['uid'] === 'string' ? user['uid'] : '',
      groups: textsOf(user['groups']),
      extra: isJsonObject(extra)
        ? Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, textsOf(values)]))
        : {},
    }),
    ...(wanted.length > 0 && { audiences }),
  };
}

const textsOf = (value: JsonValue | undefined): string[] =>
  Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
