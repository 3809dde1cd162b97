// The bound policies. Policies and bindings arrive in any order, so they are matched again with every change.
import {
  type BindingSpec,
  type CompiledBinding,
  type CompiledMutatingPolicy,
  type CompiledPolicy,
  compileBinding,
  compileMutatingPolicy,
  compilePolicy,
  type MutatingPolicySpec,
  NO_POLICIES,
  type PolicyBase,
  PolicySet,
  type PolicySpec,
} from '@instar/admission';
import type { Log } from '@instar/serving';
import type { CachedObject } from '../../objects/cached-object.ts';
import type { Resource } from '../../objects/resource.ts';
import { CacheFollower } from '../controllers/cache-follower.ts';
import { CompiledByName } from './compiled-by-name.ts';

export class FollowedPolicies<P extends PolicyBase> {
  readonly #policies: CompiledByName<P>;
  readonly #bindings = new CompiledByName((object) =>
    compileBinding(object.metadata.name!, specOf(object) as unknown as BindingSpec),
  );
  readonly #followers: readonly CacheFollower[];
  #set: PolicySet<P, CompiledBinding> = NO_POLICIES;

  constructor(compile: (name: string, spec: object) => P, policies: Resource, bindings: Resource, log: Log) {
    this.#policies = new CompiledByName((object) => compile(object.metadata.name!, specOf(object)));
    this.#followers = [
      this.#follow(policies, this.#policies, log),
      this.#follow(bindings, this.#bindings, log),
    ];
  }

  get policies(): PolicySet<P, CompiledBinding> {
    return this.#set;
  }

  /** Resolves when the existing policies are in effect. */
  async start(): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.start()));
  }

  stop(): void {
    for (const follower of this.#followers) follower.stop();
  }

  #follow<T>({ cache, prefix }: Resource, compiled: CompiledByName<T>, log: Log): CacheFollower {
    return new CacheFollower(cache, {
      onState: (objects) => {
        compiled.replace(objects);
        this.#changed();
      },
      onEvent: ({ type, object }) => {
        if (type === 'DELETED') compiled.delete(object.metadata.name!);
        else compiled.set(object);
        this.#changed();
      },
      onError: (error) => log.error({ err: error, prefix }, 'admission policies cannot be read'),
    });
  }

  #changed(): void {
    this.#set = new PolicySet(this.#policies.values(), this.#bindings.values());
  }
}

export const compileValidating = (name: string, spec: object): CompiledPolicy =>
  compilePolicy(name, spec as PolicySpec);
export const compileMutating = (name: string, spec: object): CompiledMutatingPolicy =>
  compileMutatingPolicy(name, spec as MutatingPolicySpec);

const specOf = (object: CachedObject): object => (object.parse()['spec'] ?? {}) as object;
