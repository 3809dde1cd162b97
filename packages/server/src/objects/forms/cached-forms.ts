// Caches forms on the objects themselves, under the current definition and within the budget.
import type { ObjectMeta } from '@instar/machinery';
import type { CachedObject } from '../cached-object.ts';
import type { ResourceDefinition, VersionDefinition } from '../definition.ts';
import type { FormBudget, ObjectLookup } from './form-budget.ts';

export class CachedForms {
  #definition: ResourceDefinition;
  readonly #budget: FormBudget;
  /** Weak, since the budget outlives resources. */
  readonly #objects: WeakRef<ObjectLookup>;

  constructor(definition: ResourceDefinition, budget: FormBudget, objects: ObjectLookup) {
    this.#definition = definition;
    this.#budget = budget;
    this.#objects = new WeakRef(objects);
  }

  redefine(definition: ResourceDefinition): void {
    this.#definition = definition;
  }

  /** An identity: forms that were cached under another one are no longer used. */
  get generation(): object {
    return generationOf(this.#definition);
  }

  /**
   * A form that a request made under an earlier definition is right for that request, but must not be cached.
   */
  isCurrent(version: VersionDefinition, generation: object): boolean {
    return (
      generation === this.generation &&
      this.#definition.versions.find(({ apiVersion }) => apiVersion === version.apiVersion)?.schema ===
        version.schema
    );
  }

  /** `labels` if they differ from the stored ones. */
  add(cached: CachedObject, apiVersion: string, bytes: Uint8Array, labels?: ObjectMeta['labels']): void {
    const { generation } = this;
    cached.cacheForm(apiVersion, generation, bytes, labels);
    if (bytes !== cached.raw)
      this.#budget.add(this.#objects, cached, apiVersion, generation, bytes.byteLength);
  }
}

export const generationOf = (definition: ResourceDefinition): object =>
  definition.formGeneration ?? definition;
