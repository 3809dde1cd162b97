// Encrypts with a seed that a key management service has encrypted (KMS v2, as kube-apiserver). The service
// is asked for its status again and again; when it names another key, there is a new seed. While it does not
// answer, values can be written for a few minutes more, and those whose seed is known can be read.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { aesGcm } from '../ciphers.ts';
import type { KmsConfig } from '../config.ts';
import type { Transformer } from '../transformer.ts';
import {
  checkEncryptedKey,
  decodeEncryptedObject,
  type EncryptedKey,
  type EncryptedObject,
  encodeEncryptedObject,
  keyIdFault,
  SEED,
} from './encrypted-object.ts';
import { KmsService, type KmsStatus } from './kms-service.ts';
import { decryptWithSeed, encryptWithSeed, SEED_BYTES } from './seeded-cipher.ts';

interface WriteKey {
  readonly encrypted: EncryptedKey;
  readonly seed: Buffer;
  expiresAt: number;
}

const HEALTHY_POLL_MS = 60_000;
const UNHEALTHY_POLL_MS = 10_000;
/** How long an answer to a health check is valid. */
const HEALTHY_TTL_MS = 20_000;
const UNHEALTHY_TTL_MS = 3_000;
const WRITE_KEY_TTL_MS = 3 * 60_000;
/** Each start of a server makes one seed. */
const MAX_KNOWN_KEYS = 1_000;
const VERSIONS = ['v2', 'v2beta1'];

export class KmsProvider implements Transformer {
  readonly #config: KmsConfig;
  readonly #service: KmsService;
  readonly #now: () => number;
  readonly #known = new Map<string, Buffer>();
  readonly #asked = new Map<string, Promise<Buffer>>();
  #writeKey: WriteKey | undefined;
  #checked: { readonly until: number; readonly result: Promise<void> } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(config: KmsConfig, now: () => number = Date.now) {
    this.#config = config;
    this.#service = new KmsService(config);
    this.#now = now;
  }

  /** Asks the service for the first time. It is asked again if it does not answer. */
  async start(): Promise<void> {
    await this.#poll();
  }

  encrypt(value: Uint8Array, key: string): Uint8Array {
    const writeKey = this.#writeKey;
    if (writeKey === undefined) throw new Error('got unexpected nil transformer');
    const { encrypted, seed, expiresAt } = writeKey;
    if (this.#now() > expiresAt) {
      const times = [expiresAt, this.#now()].map((time) => new Date(time).toISOString().replace(/\.\d+/, ''));
      throw new Error(
        `encryptedDEKSource with keyID hash "${hashOf(encrypted.keyId)}" expired at ${times[0]} (current time is ${times[1]})`,
      );
    }
    const data = encryptWithSeed(seed, value, key);
    return encodeEncryptedObject({ ...encrypted, data, sourceType: SEED });
  }

  decrypt(stored: Uint8Array, key: string): Uint8Array | Promise<Uint8Array> {
    const object = decodeEncryptedObject(stored);
    const id = idOf(object);
    const secret = this.#known.get(id);
    if (secret !== undefined) return decryptWith(secret, object, key);
    return this.#secretOf(id, object).then((asked) => decryptWith(asked, object, key));
  }

  isCurrent(stored: Uint8Array): boolean {
    const { keyId, sourceType } = decodeEncryptedObject(stored);
    return sourceType === SEED && keyId === this.#writeKey?.encrypted.keyId;
  }

  /** Rejects if the service does not work. */
  check(): Promise<void> {
    if (this.#checked !== undefined && this.#now() < this.#checked.until) return this.#checked.result;
    const result = this.#ask();
    this.#checked = { until: Number.POSITIVE_INFINITY, result };
    const keepFor = (milliseconds: number): void => {
      this.#checked = { until: this.#now() + milliseconds, result };
    };
    result.then(
      () => keepFor(HEALTHY_TTL_MS),
      () => keepFor(UNHEALTHY_TTL_MS),
    );
    return result;
  }

  /** Another configuration is in use. What was begun may still need the service for a while. */
  retire(): void {
    clearTimeout(this.#timer);
    this.#isClosed = true;
    setTimeout(() => this.#service.close(), 2 * this.#config.timeoutMs).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#isClosed = true;
    this.#service.close();
  }

  async #poll(): Promise<void> {
    const isHealthy = await this.check().then(
      () => true,
      () => false,
    );
    if (this.#isClosed) return;
    const pause = isHealthy ? HEALTHY_POLL_MS : UNHEALTHY_POLL_MS;
    this.#timer = setTimeout(() => void this.#poll(), pause).unref();
  }

  async #ask(): Promise<void> {
    const { name } = this.#config;
    let status: KmsStatus;
    try {
      status = await this.#service.status();
    } catch (error) {
      const why = (error as Error).message;
      throw new Error(
        `failed to perform status section of the healthz check for KMS Provider ${name}, error: ${why}`,
      );
    }
    const faults = statusFaults(status);
    if (keyIdFault(status.keyId) === undefined)
      await this.#renewWriteKey(status.keyId).catch((error: Error) => faults.push(error.message));
    if (faults.length === 0) return;
    const why = faults.length === 1 ? faults[0] : `[${faults.join(', ')}]`;
    throw new Error(`kmsv2 Provider ${name} is not healthy, error: ${why}`);
  }

  async #renewWriteKey(keyId: string): Promise<void> {
    const expiresAt = this.#now() + WRITE_KEY_TTL_MS;
    if (this.#writeKey?.encrypted.keyId === keyId) {
      this.#writeKey.expiresAt = expiresAt;
      return;
    }
    const seed = randomBytes(SEED_BYTES);
    const encrypted = await this.#service.encrypt(seed, randomUUID());
    checkEncryptedKey(encrypted);
    if (encrypted.keyId !== keyId)
      throw new Error(
        `failed to rotate DEK: statusKeyIDHash="${hashOf(keyId)}", encryptKeyIDHash="${hashOf(encrypted.keyId)}"`,
      );
    this.#writeKey = { encrypted, seed, expiresAt };
    this.#remember(idOf({ ...encrypted, sourceType: SEED }), seed);
  }

  /** Many values have the same key: the service is asked once. */
  #secretOf(id: string, key: EncryptedObject): Promise<Buffer> {
    let asked = this.#asked.get(id);
    if (asked === undefined) {
      asked = this.#service
        .decrypt(key, randomUUID())
        .then(
          (secret) => {
            this.#remember(id, secret);
            return secret;
          },
          (error: Error) => {
            throw new Error(`failed to decrypt DEK, error: ${error.message}`);
          },
        )
        .finally(() => this.#asked.delete(id));
      this.#asked.set(id, asked);
    }
    return asked;
  }

  #remember(id: string, secret: Buffer): void {
    this.#known.set(id, secret);
    if (this.#known.size <= MAX_KNOWN_KEYS) return;
    const [oldest] = this.#known.keys();
    this.#known.delete(oldest!);
  }
}

function decryptWith(secret: Buffer, { data, sourceType }: EncryptedObject, key: string): Uint8Array {
  if (sourceType !== SEED) return aesGcm(secret).decrypt(data, key) as Uint8Array;
  if (secret.length < SEED_BYTES)
    throw new Error(`invalid seed length ${secret.length} used for key generation`);
  return decryptWithSeed(secret, data, key);
}

function statusFaults({ healthz, version, keyId }: KmsStatus): string[] {
  const fault = keyIdFault(keyId);
  return [
    ...(healthz === 'ok' ? [] : [`got unexpected healthz status: ${healthz}`]),
    ...(VERSIONS.includes(version) ? [] : [`expected KMSv2 API version v2, got ${version}`]),
    ...(fault === undefined ? [] : [`got invalid KMSv2 KeyID hash "${hashOf(keyId)}": ${fault}`]),
  ];
}

const hashOf = (text: string): string =>
  text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Two keys are the same only if everything that the service gets of them is. */
function idOf({ keyId, source, annotations, sourceType }: EncryptedKey & { sourceType: number }): string {
  const sorted = [...annotations].sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = sorted.map(([name, value]) => [name, value.toString('base64')]);
  return JSON.stringify([sourceType, source.toString('base64'), keyId, parts]);
}
