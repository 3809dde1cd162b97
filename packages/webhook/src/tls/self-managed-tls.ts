// Certificates that the kit makes, stores, renews and injects itself.
import type { Log } from '@instar/serving';
import type { HostMetrics } from '../metrics.ts';
import type { CertificateApi, InjectionTarget, Lifetimes, SelfManagedTls } from '../options.ts';
import { messageOf } from '../review/status-answer.ts';
import { directoryStore } from './directory-store.ts';
import { inject, targetName } from './inject.ts';
import { caBundleOf, type Keyring, type KeyringNeeds, lifetimeOf, renewed } from './keyring.ts';
import { type KeyringStore, memoryStore } from './keyring-store.ts';
import { secretStore } from './secret-store.ts';
import type { ServingCertificate, TlsSource } from './tls-source.ts';

const DEFAULT_LIFETIMES: Lifetimes = { caDays: 730, servingDays: 90, overlapSeconds: 3600, checkSeconds: 60 };
/** After a failure the next check comes sooner. */
const RETRY_SECONDS = 5;
const MAX_ATTEMPTS = 5;

/** Resolves when there is a certificate; injection begins with `start`. */
export async function openSelfManagedTls(
  options: SelfManagedTls,
  log: Log,
  metrics: HostMetrics,
): Promise<TlsSource> {
  const source = new SelfManaged(options, log, metrics);
  await source.renew();
  return source;
}

class SelfManaged implements TlsSource {
  readonly #store: KeyringStore;
  readonly #needs: KeyringNeeds;
  readonly #client: CertificateApi | undefined;
  readonly #targets: readonly InjectionTarget[];
  readonly #log: Log;
  readonly #metrics: HostMetrics;
  /** Targets to which the CA was never written, with the reason. */
  readonly #pending: Map<InjectionTarget, string>;
  #keyring: Keyring | undefined;
  #onChange: (certificate: ServingCertificate) => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: SelfManagedTls, log: Log, metrics: HostMetrics) {
    this.#store = storeOf(options);
    this.#needs = { hosts: hostsOf(options), lifetimes: { ...DEFAULT_LIFETIMES, ...options.lifetimes } };
    this.#client = options.client;
    this.#targets = options.inject ?? [];
    if (this.#targets.length > 0 && this.#client === undefined)
      throw new Error('a client is needed to write the CA into the API server');
    this.#pending = new Map(this.#targets.map((target) => [target, 'not tried yet']));
    this.#log = log;
    this.#metrics = metrics;
  }

  get current(): ServingCertificate {
    const { serving, cas } = this.#keyring!;
    const context = { cert: serving.certificate, key: serving.key };
    return {
      context,
      caBundle: caBundleOf(this.#keyring!),
      expires: { serving: lifetimeOf(serving).until, ca: lifetimeOf(cas[0]!).until },
    };
  }

  start(onChange: (certificate: ServingCertificate) => void): void {
    this.#onChange = onChange;
    void this.#injectAll().then((isHealthy) => this.#scheduleCheck(isHealthy));
  }

  notReady(): string | undefined {
    for (const [target, why] of this.#pending)
      return `the CA is not written to ${targetName(target)} yet: ${why}`;
    return this.current.expires.serving < Date.now() ? 'the serving certificate has expired' : undefined;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** Brings store and process to the same, current certificates. */
  async renew(): Promise<void> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const stored = await this.#store.read();
      const keyring = renewed(stored?.keyring, this.#needs);
      if (keyring === stored?.keyring || (await this.#store.write(keyring, stored)))
        return this.#use(keyring);
    }
    throw new Error(`the certificates were changed by other writers ${MAX_ATTEMPTS} times in a row`);
  }

  #use(keyring: Keyring): void {
    const before = this.#keyring?.serving.certificate;
    this.#keyring = keyring;
    if (before === keyring.serving.certificate) return;
    const { expires } = this.current;
    this.#log.info({ expires: new Date(expires.serving).toISOString() }, 'a serving certificate is in use');
    this.#onChange(this.current);
  }

  #scheduleCheck(wasHealthy: boolean): void {
    if (this.#stopped) return;
    const { checkSeconds } = this.#needs.lifetimes;
    const seconds = wasHealthy ? checkSeconds : Math.min(checkSeconds, RETRY_SECONDS);
    this.#timer = setTimeout(
      () => void this.#check().then((isHealthy) => this.#scheduleCheck(isHealthy)),
      seconds * 1000,
    ).unref();
  }

  /** Whether everything succeeded. */
  async #check(): Promise<boolean> {
    try {
      await this.renew();
    } catch (error) {
      this.#log.error({ err: error }, 'the certificates could not be renewed; the old ones stay');
      return false;
    }
    return this.#injectAll();
  }

  async #injectAll(): Promise<boolean> {
    const { caBundle } = this.current;
    const done = await Promise.all(this.#targets.map((target) => this.#inject(target, caBundle)));
    return done.every(Boolean);
  }

  async #inject(target: InjectionTarget, caBundle: string): Promise<boolean> {
    const name = targetName(target);
    try {
      const result = await inject(this.#client!, target, caBundle);
      this.#pending.delete(target);
      this.#metrics.injected(name, result);
      if (result === 'written') this.#log.info({ target: name }, 'the CA was written');
      return true;
    } catch (error) {
      const why = messageOf(error);
      if (this.#pending.has(target)) this.#pending.set(target, why);
      this.#metrics.injected(name, 'failed');
      this.#log.warn({ target: name, why }, 'the CA could not be written; it will be retried');
      return false;
    }
  }
}

function storeOf({ store, client }: SelfManagedTls): KeyringStore {
  if (store === undefined) return memoryStore();
  if ('directory' in store) return directoryStore(store.directory);
  if (client === undefined) throw new Error('a client is needed to keep certificates in a Secret');
  return secretStore(client, store.secret);
}

/** The names by which API servers call a Service, and those for local tests. */
function hostsOf({ service, hosts = [] }: SelfManagedTls): readonly string[] {
  const own =
    service === undefined
      ? []
      : [
          `${service.name}.${service.namespace}.svc`,
          `${service.name}.${service.namespace}.svc.cluster.local`,
        ];
  return [...new Set([...own, ...hosts, 'localhost', '127.0.0.1', '::1'])];
}
