// Deletes requests for certificates that have served their purpose, or that nobody dealt with, after the same
// times as kube-controller-manager.
import { X509Certificate } from 'node:crypto';
import { BACKGROUND_CLOCK, type Clock, type Log } from '@instar/serving';
import type { SigningRequest } from '../../kinds/validate/signing-request.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import { deleteAllInternally } from '../controllers/internal-deletes.ts';
import { CSR_GROUP, CSR_RESOURCE, isIssued } from './signing-requests.ts';

const HOUR_MS = 3_600_000;
const PENDING_MS = 24 * HOUR_MS;

export class CleaningController {
  readonly #requests: Resource;
  readonly #log: Log;
  readonly #clock: Clock;
  #cancel: () => void = () => {};

  constructor(registry: ResourceRegistry, log: Log, clock: Clock = BACKGROUND_CLOCK) {
    this.#requests = registry.get(CSR_GROUP, CSR_RESOURCE)!;
    this.#log = log;
    this.#clock = clock;
  }

  async start(): Promise<void> {
    this.#cancel = this.#clock.after(HOUR_MS, () => void this.start());
    await this.#clean();
  }

  stop(): void {
    this.#cancel();
  }

  async #clean(): Promise<void> {
    try {
      await this.#requests.cache.waitUntilFresh();
      const now = this.#clock.now();
      const old = [...this.#requests.cache.values()].filter((object) =>
        isOutdated(object.parse() as SigningRequest, now),
      );
      const failures = await deleteAllInternally(this.#requests, old);
      if (failures.length > 0) throw failures[0];
    } catch (error) {
      this.#log.warn({ err: error }, 'old requests for certificates could not be deleted');
    }
  }
}

export function isOutdated(request: SigningRequest, now: number): boolean {
  const conditions = request.status?.conditions ?? [];
  if (conditions.length === 0) return isOlder(request.metadata.creationTimestamp, PENDING_MS, now);
  return conditions.some(({ type, lastUpdateTime }) => {
    const after = type === 'Approved' && !isIssued(request) ? PENDING_MS : HOUR_MS;
    const isDecided = type === 'Approved' || type === 'Denied' || type === 'Failed';
    return (
      (isDecided && isOlder(lastUpdateTime, after, now)) || (type === 'Approved' && hasExpired(request, now))
    );
  });
}

const isOlder = (time: string | null | undefined, age: number, now: number): boolean =>
  time != null && now - Date.parse(time) > age;

function hasExpired({ status }: SigningRequest, now: number): boolean {
  try {
    const pem = Buffer.from(status?.certificate ?? '', 'base64');
    return pem.length > 0 && Date.parse(new X509Certificate(pem).validTo) < now;
  } catch {
    return false;
  }
}
