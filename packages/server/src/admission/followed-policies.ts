// The policies that are bound, as they stand. Policies and bindings come in any order: what belongs together is found anew with every change.
import {
  type BindingSpec,
  type CompiledBinding,
  type CompiledPolicy,
  compileBinding,
  compilePolicy,
  NO_POLICIES,
  PolicySet,
  type PolicySpec,
} from '@instar/admission';
import type { Log } from '@instar/serving';
import { CacheFollower } from '../controllers/cache-follower.ts';
import type { CachedObject } from '../resource/cached-object.ts';
import type { Resource } from '../resource/resource.ts';

export class FollowedPolicies {
  readonly #policies = new Map<string, CompiledPolicy>();
  readonly #bindings = new Map<string, CompiledBinding>();
  readonly #followers: readonly CacheFollower[];
  #set = NO_POLICIES;

  constructor(policies: Resource, bindings: Resource, log: Log) {
    const compile = (name: string, spec: unknown) => compilePolicy(name, spec as PolicySpec);
    const bind = (name: string, spec: unknown) => compileBinding(name, spec as BindingSpec);
    this.#followers = [this.#follow(policies, this.#policies, compile, log), this.#follow(bindings, this.#bindings, bind, log)];
  }

  get policies(): PolicySet {
    return this.#set;
  }

  /** Resolves when what is there is in force. */
  async start(): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.start()));
  }

  stop(): void {
    for (const follower of this.#followers) follower.stop();
  }

  #follow<T>({ cache, prefix }: Resource, known: Map<string, T>, compile: (name: string, spec: unknown) => T, log: Log): CacheFollower {
    const add = (object: CachedObject): void => {
      const name = object.metadata.name!;
      known.set(name, compile(name, object.parse()['spec'] ?? {}));
    };
    return new CacheFollower(cache, {
      onState: (objects) => {
        known.clear();
        for (const object of objects) add(object);
        this.#changed();
      },
      onEvent: ({ type, object }) => {
        if (type === 'DELETED') known.delete(object.metadata.name!);
        else add(object);
        this.#changed();
      },
      onError: (error) => log.error({ err: error, prefix }, 'admission policies cannot be read'),
    });
  }

  #changed(): void {
    this.#set = new PolicySet(this.#policies.values(), this.#bindings.values());
  }
}
