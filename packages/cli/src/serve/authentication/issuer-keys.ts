// The public keys of an issuer, found through its discovery document. They are fetched in the background,
// again every so often, and when a token names a key that is not among them. What cannot be fetched leaves
// the keys as they were.
import { BACKGROUND_CLOCK, type Clock, type Log } from '@instar/serving';
import { type CompactJWSHeaderParameters, createLocalJWKSet, errors, type FlattenedJWSInput } from 'jose';
import { fetchJson } from './bounded-fetch.ts';
import type { JwtSettings } from './jwt-settings.ts';

type KeySet = ReturnType<typeof createLocalJWKSet>;
type Key = Awaited<ReturnType<KeySet>>;

const WELL_KNOWN = '/.well-known/openid-configuration';
const RETRY_MS = 10_000;
const REFRESH_MS = 10 * 60_000;
/** Tokens that name unknown keys do not make the server ask more often than this. */
const COOL_DOWN_MS = 10_000;

interface Discovered {
  readonly issuer?: unknown;
  readonly jwks_uri?: unknown;
}

export class IssuerKeys {
  readonly #issuer: JwtSettings['issuer'];
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  #keys: KeySet | undefined;
  #fetching: Promise<void> | undefined;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #cancel: () => void = () => {};

  constructor(issuer: JwtSettings['issuer'], log: Log, clock: Clock = BACKGROUND_CLOCK) {
    this.#issuer = issuer;
    this.#log = log;
    this.#clock = clock;
  }

  start(): void {
    void this.#refresh();
  }

  stop(): void {
    this.#cancel();
    this.#stop.abort();
  }

  get isReady(): boolean {
    return this.#keys !== undefined;
  }

  /** The keys that can have signed a token with this header. Throws jose's errors. */
  async keysFor(header: CompactJWSHeaderParameters, token: FlattenedJWSInput): Promise<readonly Key[]> {
    try {
      return await this.#find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || this.#isCoolingDown()) throw error;
      await this.#refresh();
      return this.#find(header, token);
    }
  }

  #isCoolingDown(): boolean {
    return this.#fetching === undefined && this.#clock.now() - this.#fetchedAt < COOL_DOWN_MS;
  }

  async #find(header: CompactJWSHeaderParameters, token: FlattenedJWSInput): Promise<readonly Key[]> {
    try {
      return [await this.#keys!(header, token)];
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      const all: Key[] = [];
      for await (const key of error) all.push(key);
      return all;
    }
  }

  /** One fetch at a time, however many wait for it. Never rejects. */
  #refresh(): Promise<void> {
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetch(): Promise<void> {
    this.#cancel();
    this.#fetchedAt = this.#clock.now();
    let again = RETRY_MS;
    try {
      this.#keys = createLocalJWKSet((await this.#fetchKeys()) as Parameters<typeof createLocalJWKSet>[0]);
      again = REFRESH_MS;
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.#log.warn({ issuer: this.#issuer.url, err: error }, 'the keys of an issuer could not be fetched');
    }
    if (!this.#stop.signal.aborted) this.#cancel = this.#clock.after(again, () => void this.#refresh());
  }

  async #fetchKeys(): Promise<unknown> {
    const { url, discoveryURL, certificateAuthority: ca } = this.#issuer;
    const options = { ca, signal: this.#stop.signal };
    const document = discoveryURL || `${url.replace(/\/$/, '')}${WELL_KNOWN}`;
    const discovered = ((await fetchJson(document, options)) ?? {}) as Discovered;
    if (discovered.issuer !== url)
      throw new Error(
        `oidc: issuer URL provided to client (${JSON.stringify(url)}) did not match the issuer URL returned by provider (${JSON.stringify(discovered.issuer)})`,
      );
    const keysUrl = discovered.jwks_uri;
    if (typeof keysUrl !== 'string' || !keysUrl.startsWith('https://'))
      throw new Error('the provider names no jwks_uri that begins with https://');
    return fetchJson(keysUrl, options);
  }
}
