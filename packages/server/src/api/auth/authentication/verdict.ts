// What every way to authenticate answers, and how several of them are asked in order. A way is a file of its
// own in this folder; chain.ts lists them.
import type { ApiRequest, UserInfo } from '../../../wire/exchange.ts';

/** What of a request may hold a credential. A review of a token has only the header. */
export type Credentials = Pick<ApiRequest, 'headers' | 'clientCertificate'> &
  Partial<Pick<ApiRequest, 'warnings' | 'rawHeaders'>>;

export interface Identified {
  readonly user: UserInfo;
  /** Those of the wanted audiences that the credential is for; undefined: it is not for any in particular. */
  readonly audiences?: readonly string[];
  /** What the client of the request should know of its credential. */
  readonly warnings?: readonly string[];
  /** What the audit should know of it. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Why a credential is refused, for the log and for reviews: the client of a request learns only of a 401. */
export interface Refused {
  readonly refused: readonly string[];
}

/** Undefined: there is no credential of this sort. */
export type Verdict = Identified | Refused | undefined;
/** Most verdicts are known at once: a request need not wait for them. */
export type Answer = Verdict | Promise<Verdict>;

/** `audiences`: those that are wanted, of which the credential must be for one; none: it does not matter. */
export interface RequestAuthenticator {
  authenticate(request: Credentials, audiences: readonly string[]): Answer;
}

/** Says whose a token is, or that it is of another sort. */
export interface TokenAuthenticator {
  authenticateToken(token: string, audiences: readonly string[]): Answer;
}

export const isIdentified = (verdict: Verdict): verdict is Identified =>
  verdict !== undefined && 'user' in verdict;

/** The first that identifies the user wins. Else all reasons together, if one of them refused. */
export function firstIdentified<T>(ways: readonly T[], ask: (way: T) => Answer): Answer {
  return from(0, [], ways, ask);
}

function from<T>(
  start: number,
  reasons: readonly string[],
  ways: readonly T[],
  ask: (way: T) => Answer,
): Answer {
  let refused = reasons;
  for (let index = start; index < ways.length; index++) {
    const answer = ask(ways[index]!);
    if (answer instanceof Promise) {
      const before = refused;
      return answer.then((verdict) =>
        isIdentified(verdict) ? verdict : from(index + 1, withReasons(before, verdict), ways, ask),
      );
    }
    if (isIdentified(answer)) return answer;
    refused = withReasons(refused, answer);
  }
  return refused.length === 0 ? undefined : { refused };
}

const withReasons = (before: readonly string[], verdict: Refused | undefined): readonly string[] =>
  verdict === undefined ? before : [...new Set([...before, ...verdict.refused])];

/** As Go prints several errors. */
export const refusalText = ({ refused }: Refused): string =>
  refused.length === 1 ? refused[0]! : `[${refused.join(', ')}]`;
