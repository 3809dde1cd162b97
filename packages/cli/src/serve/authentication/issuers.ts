// The issuers of tokens that are trusted now: those of the flags, or of a file, which is read again when it
// changes. A file that cannot be used leaves the issuers as they were.
import { deepEqual, type JsonValue } from '@instar/machinery';
import type { TokenAuthenticator } from '@instar/server';
import { type Clock, type Log, readNamed, whenChanged } from '@instar/serving';
import { FlagError } from '../flag-error.ts';
import { parseAuthenticationConfig } from './config-file.ts';
import { JwtAuthenticator } from './jwt-authenticator.ts';
import { type AuthenticationSettings, SIGNING_ALGORITHMS } from './jwt-settings.ts';

const POLL_FILE_MS = 5_000;

interface Options {
  readonly settings: AuthenticationSettings;
  readonly algorithms: readonly string[];
  readonly log: Log;
  readonly clock: Clock;
}

export class Issuers implements TokenAuthenticator {
  readonly #options: Options;
  #authenticators: readonly JwtAuthenticator[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#trust(options.settings);
  }

  /** Reads the file now, and when it changes. */
  static async ofFile(
    file: string,
    {
      log,
      clock,
      serviceAccountIssuers,
      pollMs = POLL_FILE_MS,
    }: Pick<Options, 'log' | 'clock'> & FileOptions,
  ): Promise<Issuers> {
    const read = async () => parseAuthenticationConfig(await readNamed(file), file, serviceAccountIssuers);
    const settings = await read();
    const issuers = new Issuers({ settings, algorithms: SIGNING_ALGORITHMS, log, clock });
    const poll = whenChanged([file], () => issuers.#reload(read));
    issuers.#timer = setInterval(poll, pollMs).unref();
    return issuers;
  }

  get settings(): AuthenticationSettings {
    return this.#options.settings;
  }

  authenticateToken(token: string): ReturnType<TokenAuthenticator['authenticateToken']> {
    for (const authenticator of this.#authenticators) {
      const answer = authenticator.authenticateToken(token);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#trust({ jwt: [] });
  }

  #trust({ jwt }: AuthenticationSettings): void {
    const before = this.#authenticators;
    const { algorithms, log, clock } = this.#options;
    this.#authenticators = jwt.map((settings) => new JwtAuthenticator({ settings, algorithms, log, clock }));
    for (const authenticator of this.#authenticators) authenticator.start();
    for (const authenticator of before) authenticator.stop();
  }

  async #reload(read: () => Promise<AuthenticationSettings>): Promise<boolean> {
    const { settings, log } = this.#options;
    try {
      const next = await read();
      if (!isSame(next.anonymous, settings.anonymous))
        throw new FlagError(
          'invalid authentication configuration: anonymous: Forbidden: changed from initial configuration file',
        );
      this.#trust(next);
      log.info({}, 'the authentication configuration was reloaded');
      return true;
    } catch (error) {
      log.error({ err: error }, 'the authentication configuration could not be reloaded; the old one stays');
      // What the file says cannot be used: only another change can help.
      return error instanceof FlagError;
    }
  }
}

interface FileOptions {
  readonly serviceAccountIssuers: readonly string[];
  readonly pollMs?: number;
}

const isSame = (one: unknown, other: unknown): boolean =>
  deepEqual((one ?? null) as JsonValue, (other ?? null) as JsonValue);
