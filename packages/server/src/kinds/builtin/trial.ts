// For tests of kinds: what a write does with an object, without a server.
import {
  asKubeObject,
  fieldErrorMessage,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@instar/machinery';
import type { ResourceDefinition, VersionDefinition, WriteContext } from '../../objects/definition.ts';

export class Trial {
  readonly #definition: ResourceDefinition;
  readonly #version: VersionDefinition;

  constructor(definition: ResourceDefinition, apiVersion = definition.storageApiVersion) {
    this.#definition = definition;
    this.#version = definition.versions.find((version) => version.apiVersion === apiVersion)!;
  }

  /**
   * The object in normal form, with a name and (if the kind is namespaced) a namespace, unless the body has
   * its own.
   */
  decode(body: object): KubeObject {
    const decoded = this.#version.decode!(JSON.parse(JSON.stringify(body)) as JsonValue);
    if ('error' in decoded) throw new Error(decoded.error);
    const object = asKubeObject({
      ...decoded.object,
      apiVersion: this.#version.apiVersion,
      kind: this.#definition.names.kind,
    });
    object.metadata.name ??= 'a';
    if (this.#definition.namespaced) object.metadata.namespace ??= 'ns';
    return object;
  }

  create(body: object): KubeObject {
    const object = this.decode(body);
    this.#definition.strategy.prepareForCreate?.(object, this.#context(''));
    return object;
  }

  /** The faults of a create, as clients see them. */
  faults(body: object): string[] {
    return this.#definition.strategy.validateCreate!(this.create(body), this.#context('')).map(
      fieldErrorMessage,
    );
  }

  update(
    body: object,
    old: object,
    subresource: WriteContext['subresource'] = '',
  ): { object: KubeObject; faults: string[] } {
    const before = stored(this.create(old));
    const object = stored(this.decode(body));
    // The write path copies the generation before the kind may increment it.
    if (before.metadata.generation !== undefined) object.metadata.generation = before.metadata.generation;
    this.#definition.strategy.prepareForUpdate?.(object, before, this.#context(subresource));
    const faults = this.#definition.strategy.validateUpdate!(object, before, this.#context(subresource)).map(
      fieldErrorMessage,
    );
    return { object, faults };
  }

  cells(body: object, now = 0): JsonValue[] {
    const object = this.create(body) as unknown as JsonObject;
    return this.#version.columns.map((column) => column.cell(object, now));
  }

  #context(subresource: WriteContext['subresource']): WriteContext {
    return { version: this.#version, subresource, dryRun: false, user: { name: 'me', groups: [] } };
  }

  get columnNames(): string[] {
    return this.#version.columns.map(({ name, priority }) => (priority > 0 ? `${name}*` : name));
  }

  selects(body: object): Record<string, string> {
    const object = this.create(body) as unknown as JsonObject;
    return Object.fromEntries(
      this.#version.selectableFields.map((field) => [field.name, field.value(object)]),
    );
  }
}

function stored(object: KubeObject): KubeObject {
  object.metadata.resourceVersion = '1';
  return object;
}
