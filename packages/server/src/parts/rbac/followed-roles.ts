// Keeps the index of roles and bindings as the caches of the four kinds have them. A write has an effect when
// it is answered: the caches are notified before that. If a cache loses its watch, the last state stays in
// effect, as with the informers of kube-apiserver.
import type { Log } from '@instar/serving';
import type { BindingObject } from '../../api/auth/rbac/grant.ts';
import { RoleIndex } from '../../api/auth/rbac/role-index.ts';
import { type PolicyRule, RBAC_GROUP } from '../../kinds/validate/rbac.ts';
import type { CachedObject } from '../../objects/cached-object.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import { CacheFollower } from '../controllers/cache-follower.ts';

interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

/** How the objects of one kind enter the index and leave it. */
interface FollowedKind {
  readonly plural: string;
  set(object: CachedObject): void;
  delete(key: ObjectKey): void;
  known(): ObjectKey[];
}

export class FollowedRoles {
  readonly index = new RoleIndex();
  readonly #followers: readonly CacheFollower[];

  constructor(registry: ResourceRegistry, log: Log) {
    const kinds = [
      this.#roles('clusterroles', true),
      this.#roles('roles', false),
      this.#bindings('clusterrolebindings', true),
      this.#bindings('rolebindings', false),
    ];
    this.#followers = kinds.map((kind) => follow(registry, kind, log));
  }

  /** Resolves when the existing roles and bindings are in effect. */
  async start(): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.start()));
  }

  stop(): void {
    for (const follower of this.#followers) follower.stop();
  }

  #roles(plural: string, isCluster: boolean): FollowedKind {
    return {
      plural,
      set: (object) => {
        const { namespace, name } = keyOf(object);
        this.index.setRole(namespace, name, (object.parse()['rules'] ?? []) as PolicyRule[]);
      },
      delete: ({ namespace, name }) => this.index.setRole(namespace, name, undefined),
      known: () => this.index.roleKeys(isCluster),
    };
  }

  #bindings(plural: string, isCluster: boolean): FollowedKind {
    return {
      plural,
      set: (object) => this.index.setBinding(object.parse() as unknown as BindingObject),
      delete: ({ namespace, name }) => this.index.deleteBinding(namespace, name),
      known: () => this.index.bindingKeys(isCluster),
    };
  }
}

const keyOf = ({ metadata }: CachedObject): ObjectKey => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name!,
});

function follow(registry: ResourceRegistry, kind: FollowedKind, log: Log): CacheFollower {
  const { cache } = registry.get(RBAC_GROUP, kind.plural)!;
  return new CacheFollower(cache, {
    onState: (objects) => {
      const present = new Set<string>();
      for (const object of objects) {
        kind.set(object);
        const { namespace, name } = keyOf(object);
        present.add(`${namespace}/${name}`);
      }
      for (const key of kind.known()) if (!present.has(`${key.namespace}/${key.name}`)) kind.delete(key);
    },
    onEvent: ({ type, object }) => {
      if (type === 'DELETED') kind.delete(keyOf(object));
      else kind.set(object);
    },
    onError: (error) => log.error({ err: error, resource: kind.plural }, 'roles and bindings cannot be read'),
  });
}
