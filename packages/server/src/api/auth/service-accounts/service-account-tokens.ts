// Authenticates by tokens of service accounts. The signature, which takes time, is verified once per token
// and remembered for a while; expiry, audience and what the token is bound to are checked every time.
import { quoteGo } from '@instar/go';
import type { JsonObject } from '@instar/machinery';
import { sharedAudiences } from '../authentication/audiences.ts';
import type { Answer, Identified, TokenAuthenticator, Verdict } from '../authentication/verdict.ts';
import { ExpiringAnswers } from '../expiring-answers.ts';
import type { FindBound } from './bound-objects.ts';
import { checkBoundToken } from './bound-tokens.ts';
import { audiencesOf, parsePayload, textClaim, unverifiedPayload } from './claims.ts';
import type { KeyRing } from './key-ring.ts';
import type { TokenKey } from './keys.ts';
import { checkLegacyToken, LEGACY_ISSUER, type MarkUsed } from './legacy-tokens.ts';

export type TokenVerdict = Omit<Identified, 'audiences'> | { readonly refused: string };

interface TokenSettings {
  /** All of which are accepted. */
  readonly issuers: readonly string[];
  /** Those of this server, which tokens without any are for. */
  readonly audiences: readonly string[];
  readonly keys: () => Promise<KeyRing>;
  readonly find: FindBound;
  readonly markUsed: MarkUsed;
  readonly now?: () => number;
}

const MAX_VERIFIED = 4096;
const MAX_REMEMBERED_LENGTH = 8192;
const REMEMBERED_MS = 10 * 60 * 1000;
const BAD_SIGNATURE = 'go-jose/go-jose: error in cryptographic primitive';

export class ServiceAccountTokens implements TokenAuthenticator {
  readonly #settings: TokenSettings;
  readonly #issuers: ReadonlySet<string>;
  readonly #now: () => number;
  readonly #verified: ExpiringAnswers<JsonObject>;

  constructor(settings: TokenSettings) {
    this.#settings = settings;
    this.#issuers = new Set([...settings.issuers, LEGACY_ISSUER]);
    this.#now = settings.now ?? Date.now;
    this.#verified = new ExpiringAnswers(MAX_VERIFIED, this.#now);
  }

  authenticateToken(token: string, wanted: readonly string[]): Answer {
    const verified = this.#verified.get(token);
    if (verified !== undefined) return this.#check(token, verified, wanted);
    const payload = unverifiedPayload(token);
    if (payload === undefined || !this.#issuers.has(textClaim(payload, 'iss'))) return undefined;
    return this.#verify(token, wanted);
  }

  async #verify(token: string, wanted: readonly string[]): Promise<Verdict> {
    const header = headerOf(token);
    if (header === undefined) return undefined;
    const { verifying } = await this.#settings.keys();
    const kid = textClaim(header, 'kid');
    const keys = kid === '' ? verifying : verifying.filter(({ id }) => id === kid);
    if (keys.length === 0) return { refused: ['invalid signature, no keys found'] };
    const claims = await signedBy(keys, token);
    if (claims === undefined) return { refused: [BAD_SIGNATURE] };
    if (token.length <= MAX_REMEMBERED_LENGTH) this.#verified.set(token, claims, REMEMBERED_MS);
    return this.#check(token, claims, wanted);
  }

  async #check(token: string, claims: JsonObject, wanted: readonly string[]): Promise<Verdict> {
    const { audiences: own, find, markUsed } = this.#settings;
    const named = audiencesOf(claims);
    const tokenAudiences = named.length === 0 ? own : named;
    const asked = wanted.length === 0 ? own : wanted;
    const audiences = sharedAudiences(tokenAudiences, asked);
    if (audiences.length === 0)
      return {
        refused: [
          `token audiences ${goList(tokenAudiences)} is invalid for the target audiences ${goList(asked)}`,
        ],
      };
    const verdict =
      textClaim(claims, 'iss') === LEGACY_ISSUER
        ? await checkLegacyToken(token, claims, { find, markUsed }, this.#now())
        : await checkBoundToken(claims, find, this.#now());
    return 'refused' in verdict ? { refused: [verdict.refused] } : { ...verdict, audiences };
  }
}

const goList = (texts: readonly string[]): string => `[${texts.map(quoteGo).join(' ')}]`;

/** Undefined: not a JWS, and therefore perhaps another sort of token. */
function headerOf(token: string): JsonObject | undefined {
  const [header = '', , signature = ''] = token.split('.');
  return /^[\w-]+$/.test(header) && /^[\w-]*$/.test(signature)
    ? parsePayload(Buffer.from(header, 'base64url'))
    : undefined;
}

/** A key verifies only the algorithm that it is for, whatever the token says. */
async function signedBy(keys: readonly TokenKey[], token: string): Promise<JsonObject | undefined> {
  const { compactVerify } = await import('./jws.ts');
  for (const { key, algorithm } of keys) {
    const verified = await compactVerify(token, key, { algorithms: [algorithm] }).catch(() => undefined);
    if (verified !== undefined) return parsePayload(verified.payload);
  }
  return undefined;
}
