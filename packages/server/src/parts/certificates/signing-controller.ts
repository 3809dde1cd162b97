// Signs approved requests for client certificates of the API server (kubernetes.io/kube-apiserver-client), as
// kube-controller-manager does. Requests of other signers are left to others.
import { ApiError, type KubeObject } from '@instar/machinery';
import {
  type CertificateAndKey,
  type CertificateRequest,
  type Log,
  parseCertificateRequest,
  signRequest,
  WorkQueue,
} from '@instar/serving';
import type { SigningRequest } from '../../kinds/validate/signing-request.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import { ignoreNotFound } from '../../objects/write/ignore-not-found.ts';
import { timestamp } from '../../objects/write/system-fields.ts';
import { updateObject } from '../../objects/write/update.ts';
import { CacheFollower } from '../controllers/cache-follower.ts';
import { internalWrite } from '../controllers/internal-writes.ts';
import { CSR_GROUP, CSR_RESOURCE, hasFailed, isApproved, isIssued } from './signing-requests.ts';

export interface SigningSettings {
  /** Read for every certificate, so that a new one is used immediately. */
  readonly readCa: () => Promise<CertificateAndKey>;
  /** The longest that certificates are valid. */
  readonly maxTtlMs: number;
}

const SIGNER = 'kubernetes.io/kube-apiserver-client';
const MANAGER = 'kube-controller-manager';
const MIN_TTL_MS = 600_000;
const REQUIRED_USAGE = 'client auth';
const USAGES: ReadonlySet<string> = new Set(['digital signature', 'key encipherment', REQUIRED_USAGE]);

export class SigningController {
  readonly #requests: Resource;
  readonly #settings: SigningSettings;
  readonly #queue: WorkQueue;
  readonly #follower: CacheFollower;

  constructor(registry: ResourceRegistry, settings: SigningSettings, log: Log) {
    this.#requests = registry.get(CSR_GROUP, CSR_RESOURCE)!;
    this.#settings = settings;
    this.#queue = new WorkQueue({
      work: (name) => this.#sign(name),
      onError: (name, error) =>
        log.warn({ request: name, err: error }, 'a certificate could not be signed yet'),
    });
    this.#follower = new CacheFollower(this.#requests.cache, {
      onState: (objects) => {
        for (const { metadata } of objects) this.#queue.add(metadata.name!);
      },
      onEvent: ({ type, object }) => {
        if (type !== 'DELETED') this.#queue.add(object.metadata.name!);
      },
      onError: (error) => log.error({ err: error }, 'requests for certificates cannot be followed'),
    });
  }

  start(): Promise<void> {
    return this.#follower.start();
  }

  async stop(): Promise<void> {
    this.#follower.stop();
    await this.#queue.close();
  }

  async #sign(name: string): Promise<void> {
    const cached = this.#requests.cache.get(this.#requests.key('', name));
    const request = cached?.parse() as SigningRequest | undefined;
    if (request === undefined || !isPending(request)) return;
    const fault = usagesFault(request.spec.usages ?? []);
    const change = fault === undefined ? issued(await this.#certificate(request)) : failed(fault);
    await this.#write(name, change);
  }

  async #certificate({ spec }: SigningRequest): Promise<string> {
    const pem = Buffer.from(spec.request ?? '', 'base64').toString('latin1');
    const request: CertificateRequest = parseCertificateRequest(pem);
    const fault = request.signatureFault();
    if (fault !== undefined) throw new Error(fault);
    const wantedMs = (spec.expirationSeconds ?? Number.POSITIVE_INFINITY) * 1000;
    const ttlMs = Math.min(Math.max(wantedMs, MIN_TTL_MS), this.#settings.maxTtlMs);
    return signRequest(await this.#settings.readCa(), request, {
      usages: spec.usages ?? [],
      ttlMs,
      now: Date.now(),
    });
  }

  async #write(name: string, change: (request: SigningRequest) => void): Promise<void> {
    const write = internalWrite({
      resource: this.#requests,
      name,
      subresource: 'status',
      manager: MANAGER,
    });
    const next = async (live: KubeObject | undefined): Promise<KubeObject> => {
      const request = structuredClone(live) as SigningRequest;
      // It can have been denied, or been signed by another, since it was read.
      if (isPending(request)) change(request);
      return request;
    };
    try {
      await ignoreNotFound(updateObject(write, { next, mayCreate: false, options: {} }));
    } catch (error) {
      // Another write came first: its event adds the request to the queue again.
      if (!(error instanceof ApiError && error.reason === 'Conflict')) throw error;
    }
  }
}

const isPending = (request: SigningRequest): boolean =>
  request.spec.signerName === SIGNER && isApproved(request) && !hasFailed(request) && !isIssued(request);

function usagesFault(usages: readonly string[]): string | undefined {
  const other = usages.find((usage) => !USAGES.has(usage));
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  return usages.includes(REQUIRED_USAGE)
    ? undefined
    : `missing required usage for client certificate: ${REQUIRED_USAGE}`;
}

const issued =
  (pem: string) =>
  (request: SigningRequest): void => {
    request.status = { ...request.status, certificate: Buffer.from(pem).toString('base64') };
  };

const failed =
  (message: string) =>
  (request: SigningRequest): void => {
    const condition = {
      type: 'Failed',
      status: 'True',
      reason: 'SignerValidationFailure',
      message,
      lastUpdateTime: timestamp(Date.now()),
    };
    request.status = { ...request.status, conditions: [...(request.status?.conditions ?? []), condition] };
  };
