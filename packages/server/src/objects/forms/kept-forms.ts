// Where forms are kept: on the object itself, under the definition that is in force, and within the budget.
import type { ObjectMeta } from '@instar/machinery';
import type { CachedObject } from '../cached-object.ts';
import type { ResourceDefinition, VersionDefinition } from '../definition.ts';
import type { FormBudget, Objects } from './form-budget.ts';

export class KeptForms {
  #definition: ResourceDefinition;
  readonly #budget: FormBudget;
  /** Weak, since the budget outlives resources. */
  readonly #objects: WeakRef<Objects>;

  constructor(definition: ResourceDefinition, budget: FormBudget, objects: Objects) {
    this.#definition = definition;
    this.#budget = budget;
    this.#objects = new WeakRef(objects);
  }

  redefine(definition: ResourceDefinition): void {
    this.#definition = definition;
  }

  /** An identity: forms that were kept under another one no longer count. */
  get generation(): object {
    return generationOf(this.#definition);
  }

  /**
   * A form that a request made under an earlier definition is good enough for that request, and for no later
   * one.
   */
  isCurrent(version: VersionDefinition, generation: object): boolean {
    return (
      generation === this.generation &&
      this.#definition.versions.find(({ apiVersion }) => apiVersion === version.apiVersion)?.schema ===
        version.schema
    );
  }

  /** `labels` where they differ from those that are stored. */
  keep(cached: CachedObject, apiVersion: string, bytes: Uint8Array, labels?: ObjectMeta['labels']): void {
    const { generation } = this;
    cached.keepForm(apiVersion, generation, bytes, labels);
    if (bytes !== cached.raw)
      this.#budget.add(this.#objects, cached, apiVersion, generation, bytes.byteLength);
  }
}

export const generationOf = (definition: ResourceDefinition): object =>
  definition.formGeneration ?? definition;
