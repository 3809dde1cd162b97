// "Authorization: Bearer TOKEN", which several sorts of tokens share.

import type { RequestAuthenticator, Verdict } from './verdict.ts';
import { type Answer, type Credentials, firstIdentified, type TokenAuthenticator } from './verdict.ts';

const UNKNOWN: Verdict = { refused: ['invalid bearer token'] };
const SPACE_BEFORE_TOKEN =
  'the provided Authorization header contains extra space before the bearer token, and is ignored';

export function bearerTokens(sorts: readonly TokenAuthenticator[]): RequestAuthenticator {
  return {
    authenticate(request: Credentials, audiences): Answer {
      const token = bearerTokenOf(request);
      if (token === undefined) return undefined;
      const answer = firstIdentified(sorts, (sort) => sort.authenticateToken(token, audiences));
      return answer instanceof Promise ? answer.then((verdict) => verdict ?? UNKNOWN) : (answer ?? UNKNOWN);
    },
  };
}

/** Undefined also for a header that has none where one is expected: such a request has no credential. */
function bearerTokenOf({ headers, warnings }: Credentials): string | undefined {
  const header = headers['authorization'];
  if (typeof header !== 'string') return undefined;
  const [scheme, token, rest] = header.trim().split(' ', 3);
  if (token === undefined || scheme!.toLowerCase() !== 'bearer') return undefined;
  if (token === '' && rest !== undefined && !warnings?.includes(SPACE_BEFORE_TOKEN))
    warnings?.push(SPACE_BEFORE_TOKEN);
  return token === '' ? undefined : token;
}
