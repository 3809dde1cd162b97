// Keeps the flow control of the server as the objects have it. Changes that come together are applied once.
import type { Log } from '@instar/serving';
import type { FlowControl } from '../../api/fairness/flow-control.ts';
import type { FlowSchema } from '../../kinds/validate/flow-schema.ts';
import type { PriorityLevel } from '../../kinds/validate/priority-level.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import { CacheFollower } from '../controllers/cache-follower.ts';

export const FLOW_CONTROL_GROUP = 'flowcontrol.apiserver.k8s.io';

export class FollowedFlowControl {
  readonly #control: FlowControl;
  readonly #levels: Resource;
  readonly #schemas: Resource;
  readonly #followers: readonly CacheFollower[];
  #isDue = false;
  #isStopped = false;

  constructor(registry: ResourceRegistry, control: FlowControl, log: Log) {
    this.#control = control;
    this.#levels = registry.get(FLOW_CONTROL_GROUP, 'prioritylevelconfigurations')!;
    this.#schemas = registry.get(FLOW_CONTROL_GROUP, 'flowschemas')!;
    this.#followers = [this.#levels, this.#schemas].map(
      (resource) =>
        new CacheFollower(resource.cache, {
          onState: () => this.#changed(),
          onEvent: () => this.#changed(),
          onError: (error) =>
            log.error(
              { err: error, resource: resource.definition.names.plural },
              'flow control cannot be read',
            ),
        }),
    );
  }

  /** Resolves when the objects that exist are in force. */
  async start(): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.start()));
    this.#apply();
    this.#control.start();
  }

  stop(): void {
    this.#isStopped = true;
    this.#control.stop();
    for (const follower of this.#followers) follower.stop();
  }

  #changed(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => this.#apply());
  }

  #apply(): void {
    this.#isDue = false;
    if (this.#isStopped) return;
    this.#control.configure(all<PriorityLevel>(this.#levels), all<FlowSchema>(this.#schemas));
  }
}

const all = <T>(resource: Resource): T[] => [...resource.cache.values()].map((object) => object.parse() as T);
