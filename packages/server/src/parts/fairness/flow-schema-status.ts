// Says in the status of each flow schema whether its priority level exists (condition Dangling), as the
// controller of kube-apiserver.
import { printTime } from '@instar/go';
import { ApiError, type KubeObject } from '@instar/machinery';
import { type Log, WorkQueue } from '@instar/serving';
import { applyObject } from '../../api/handlers/apply.ts';
import type { FlowSchema } from '../../kinds/validate/flow-schema.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import { ignoreNotFound } from '../../objects/write/ignore-not-found.ts';
import { updateObject } from '../../objects/write/update.ts';
import { CacheFollower } from '../controllers/cache-follower.ts';
import { internalWrite } from '../controllers/internal-writes.ts';
import { FLOW_CONTROL_GROUP } from './followed-flow-control.ts';

const MANAGER = 'api-priority-and-fairness-config-consumer-v1';
const TYPE = 'Dangling';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export class FlowSchemaStatus {
  readonly #levels: Resource;
  readonly #schemas: Resource;
  readonly #queue: WorkQueue;
  readonly #followers: readonly CacheFollower[];

  constructor(registry: ResourceRegistry, log: Log) {
    this.#levels = registry.get(FLOW_CONTROL_GROUP, 'prioritylevelconfigurations')!;
    this.#schemas = registry.get(FLOW_CONTROL_GROUP, 'flowschemas')!;
    this.#queue = new WorkQueue({
      work: (name) => this.#check(name),
      onError: (name, error) =>
        log.warn({ flowSchema: name, err: error }, 'the status of a flow schema could not be written yet'),
    });
    const onError = (error: unknown): void => log.error({ err: error }, 'flow schemas cannot be followed');
    const checkAll = (): void => {
      for (const { metadata } of this.#schemas.cache.values()) this.#queue.add(metadata.name!);
    };
    this.#followers = [
      new CacheFollower(this.#schemas.cache, {
        onState: checkAll,
        onEvent: ({ type, object }) => {
          if (type !== 'DELETED') this.#queue.add(object.metadata.name!);
        },
        onError,
      }),
      new CacheFollower(this.#levels.cache, {
        onState: checkAll,
        onEvent: ({ type }) => {
          if (type !== 'MODIFIED') checkAll();
        },
        onError,
      }),
    ];
  }

  async start(): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.start()));
  }

  async stop(): Promise<void> {
    for (const follower of this.#followers) follower.stop();
    await this.#queue.close();
  }

  async #check(name: string): Promise<void> {
    const schema = this.#schemas.cache.get(this.#schemas.key('', name))?.parse() as FlowSchema | undefined;
    if (schema === undefined) return;
    const level = schema.spec.priorityLevelConfiguration.name;
    const exists = this.#levels.cache.get(this.#levels.key('', level)) !== undefined;
    const wanted = condition(level, exists);
    const known = (schema.status?.conditions ?? []).find(({ type }) => type === TYPE) as
      | Condition
      | undefined;
    const isSame = (['status', 'reason', 'message'] as const).every(
      (field) => known?.[field] === wanted[field],
    );
    if (!isSame) await this.#write(name, wanted);
  }

  async #write(name: string, wanted: Condition): Promise<void> {
    const write = internalWrite({ resource: this.#schemas, name, subresource: 'status', manager: MANAGER });
    const applied = {
      apiVersion: write.version.apiVersion,
      kind: this.#schemas.definition.names.kind,
      metadata: { name },
      status: { conditions: [{ ...wanted, lastTransitionTime: printTime(Date.now()) }] },
    };
    const next = (live: KubeObject | undefined): Promise<KubeObject> =>
      applyObject(write, live, applied, true);
    try {
      await ignoreNotFound(updateObject(write, { next, mayCreate: false, options: {} }));
    } catch (error) {
      // Another write came first: its event adds the schema to the queue again.
      if (!(error instanceof ApiError && error.reason === 'Conflict')) throw error;
    }
  }
}

function condition(level: string, exists: boolean): Condition {
  const of = `This FlowSchema references the PriorityLevelConfiguration object named "${level}"`;
  return exists
    ? { type: TYPE, status: 'False', reason: 'Found', message: `${of} and it exists` }
    : { type: TYPE, status: 'True', reason: 'NotFound', message: `${of} but there is no such object` };
}
