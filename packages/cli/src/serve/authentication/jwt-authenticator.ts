// Authenticates by JSON Web Tokens of one issuer, as kube-apiserver does by OpenID Connect: issuer, audience
// and times first, then the signature, then the mappings and rules.
import { isJsonObject, type JsonObject } from '@instar/machinery';
import { authenticatedUser, type TokenAuthenticator, type UserInfo } from '@instar/server';
import type { Clock, Log } from '@instar/serving';
import { compactVerify, decodeProtectedHeader } from 'jose';
import { ClaimMapper } from './claims.ts';
import { IssuerKeys } from './issuer-keys.ts';
import type { JwtSettings } from './jwt-settings.ts';

/** Clocks differ. */
const NOT_BEFORE_LEEWAY_MS = 5 * 60_000;
const GOOGLE = 'accounts.google.com';

interface Options {
  readonly settings: JwtSettings;
  readonly algorithms: readonly string[];
  readonly log: Log;
  readonly clock: Clock;
}

export class JwtAuthenticator implements TokenAuthenticator {
  readonly #options: Options;
  readonly #keys: IssuerKeys;
  readonly #mapper: ClaimMapper;

  constructor(options: Options) {
    this.#options = options;
    this.#keys = new IssuerKeys(options.settings.issuer, options.log, options.clock);
    this.#mapper = new ClaimMapper(options.settings);
  }

  start(): void {
    this.#keys.start();
  }

  stop(): void {
    this.#keys.stop();
  }

  authenticateToken(token: string): ReturnType<TokenAuthenticator['authenticateToken']> {
    const claims = unverifiedClaims(token);
    if (claims === undefined || issuerOf(claims) !== this.#options.settings.issuer.url) return undefined;
    if (!this.#keys.isReady) return { refused: ['oidc: authenticator not initialized'] };
    return this.#verified(token, claims).then(
      (user) => ({ user }),
      (error: unknown) => ({ refused: [error instanceof Error ? error.message : String(error)] }),
    );
  }

  async #verified(token: string, claims: JsonObject): Promise<UserInfo> {
    try {
      this.#checkClaims(claims);
      await this.#checkSignature(token);
    } catch (error) {
      throw new Error(`oidc: verify token: ${error instanceof Error ? error.message : String(error)}`);
    }
    const { name, uid, groups, extra } = this.#mapper.userOf(claims);
    return { ...authenticatedUser(name, uid, groups), extra };
  }

  #checkClaims({ aud, exp, nbf }: JsonObject): void {
    const { settings, clock } = this.#options;
    const { audiences } = settings.issuer;
    const given = [aud ?? []].flat().filter((audience) => typeof audience === 'string');
    if (!given.some((audience) => audiences.includes(audience)))
      throw new Error(
        audiences.length === 1
          ? `oidc: expected audience ${JSON.stringify(audiences[0])} got ${goList(given)}`
          : `oidc: expected audience in ${goList([...audiences].sort())} got ${goList(given)}`,
      );
    const now = clock.now();
    const expiry = typeof exp === 'number' ? exp * 1000 : 0;
    if (now > expiry)
      throw new Error(`oidc: token is expired (Token Expiry: ${new Date(expiry).toISOString()})`);
    if (nbf !== undefined && (typeof nbf !== 'number' || now + NOT_BEFORE_LEEWAY_MS < nbf * 1000))
      throw new Error('oidc: current time is before the nbf (not before) time of the token');
  }

  async #checkSignature(token: string): Promise<void> {
    const { alg } = decodeProtectedHeader(token);
    const { algorithms } = this.#options;
    if (alg === undefined || !algorithms.includes(alg))
      throw new Error(
        `oidc: id token signed with unsupported algorithm, expected ${goList(algorithms)} got ${JSON.stringify(alg ?? '')}`,
      );
    const [header, payload, signature] = token.split('.') as [string, string, string];
    const keys = await this.#keys.keysFor(
      { ...decodeProtectedHeader(token), alg },
      {
        protected: header,
        payload,
        signature,
      },
    );
    let failure: unknown;
    for (const key of keys) {
      try {
        await compactVerify(token, key, { algorithms: [...algorithms] });
        return;
      } catch (error) {
        failure = error;
      }
    }
    throw new Error(`failed to verify signature: ${(failure as Error).message}`);
  }
}

const goList = (texts: readonly string[]): string =>
  `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`;

/** Undefined: it is not a token of this sort. Nothing may be believed before the signature is checked. */
function unverifiedClaims(token: string): JsonObject | undefined {
  const parts = token.split('.');
  if (parts.length !== 3 || !/^[A-Za-z0-9_-]+$/.test(parts[1]!)) return undefined;
  try {
    const claims = JSON.parse(Buffer.from(parts[1]!, 'base64url').toString());
    return isJsonObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

/** Google's tokens name their issuer without a scheme. */
const issuerOf = ({ iss }: JsonObject): unknown => (iss === GOOGLE ? `https://${GOOGLE}` : iss);
