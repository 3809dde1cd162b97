// Writes the results of type checking to the status of policies, once for each generation of a policy.
import { checkTypes, type PolicySpec } from '@instar/admission';
import { ApiError, type KubeObject } from '@instar/machinery';
import { type Log, WorkQueue } from '@instar/serving';
import { applyObject } from '../../api/handlers/apply.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import { ignoreNotFound } from '../../objects/write/ignore-not-found.ts';
import { updateObject } from '../../objects/write/update.ts';
import { CacheFollower } from '../controllers/cache-follower.ts';
import { internalWrite } from '../controllers/internal-writes.ts';
import { checkedKinds, paramsSchema } from './checked-kinds.ts';

const MANAGER = 'validatingadmissionpolicy-status';

interface Policy extends KubeObject {
  spec: PolicySpec;
  status?: { observedGeneration?: number };
}

export class PolicyStatusController {
  readonly #registry: ResourceRegistry;
  readonly #policies: Resource;
  readonly #queue: WorkQueue;
  readonly #follower: CacheFollower;

  constructor(registry: ResourceRegistry, log: Log) {
    this.#registry = registry;
    this.#policies = registry.get('admissionregistration.k8s.io', 'validatingadmissionpolicies')!;
    this.#queue = new WorkQueue({
      work: (name) => this.#check(name),
      onError: (name, error) =>
        log.warn({ policy: name, err: error }, 'the types of a policy could not be checked yet'),
    });
    this.#follower = new CacheFollower(this.#policies.cache, {
      onState: (objects) => {
        for (const { metadata } of objects) this.#queue.add(metadata.name!);
      },
      onEvent: ({ type, object }) => {
        if (type !== 'DELETED') this.#queue.add(object.metadata.name!);
      },
      onError: (error) => log.error({ err: error }, 'admission policies cannot be followed'),
    });
  }

  start(): Promise<void> {
    return this.#follower.start();
  }

  async stop(): Promise<void> {
    this.#follower.stop();
    await this.#queue.close();
  }

  async #check(name: string): Promise<void> {
    const policy = this.#policies.cache.get(this.#policies.key('', name))?.parse() as Policy | undefined;
    if (policy === undefined || isObserved(policy)) return;
    const { spec, metadata } = policy;
    const warnings = checkTypes(spec, checkedKinds(this.#registry, spec), paramsSchema(this.#registry, spec));
    const typeChecking = warnings.length === 0 ? {} : { expressionWarnings: warnings };
    await this.#write(name, { observedGeneration: metadata.generation ?? 0, typeChecking });
  }

  async #write(name: string, status: object): Promise<void> {
    const write = internalWrite({ resource: this.#policies, name, subresource: 'status', manager: MANAGER });
    const { apiVersion } = write.version;
    const applied = { apiVersion, kind: this.#policies.definition.names.kind, metadata: { name }, status };
    const next = (live: KubeObject | undefined): Promise<KubeObject> =>
      applyObject(write, live, applied, true);
    try {
      await ignoreNotFound(updateObject(write, { next, mayCreate: false, options: {} }));
    } catch (error) {
      // Another write came first: its event adds the policy to the queue again.
      if (!(error instanceof ApiError && error.reason === 'Conflict')) throw error;
    }
  }
}

const isObserved = ({ metadata, status }: Policy): boolean =>
  (metadata.generation ?? 0) <= (status?.observedGeneration ?? 0);
