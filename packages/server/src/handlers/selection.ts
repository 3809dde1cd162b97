// Which objects of a collection a request is about: label selector, field selector, name.
import { apiErrors, type FieldSelector, invariant, type LabelSelector, parseFieldSelector, parseLabelSelector } from '@instar/machinery';
import { type CachedObject, parseOwnBytes } from '../resource/cached-object.ts';
import type { SelectableField, VersionDefinition } from '../resource/definition.ts';
import type { Resource } from '../resource/resource.ts';
import type { ListOptions } from './options.ts';

export class Selection {
  readonly #resource: Resource;
  readonly #version: VersionDefinition;
  readonly #labels: LabelSelector;
  readonly #fields: FieldSelector;
  readonly #looksInside: boolean;

  constructor(resource: Resource, version: VersionDefinition, labels: LabelSelector, fields: FieldSelector) {
    this.#resource = resource;
    this.#version = version;
    this.#labels = labels;
    this.#fields = fields;
    this.#looksInside = fields.requirements.some(({ field }) => field !== 'metadata.name' && field !== 'metadata.namespace');
  }

  /** False: everything is selected. */
  get selects(): boolean {
    return !this.#labels.empty || !this.#fields.empty;
  }

  /** A test for these objects. Forms are made first where a field selector looks inside objects, all together. */
  async matcher(objects: readonly CachedObject[]): Promise<(object: CachedObject) => boolean> {
    if (this.#looksInside) {
      const candidates = this.#labels.empty ? objects : objects.filter((object) => this.#labels.matches(object.metadata.labels ?? {}));
      await this.#resource.forms(candidates, this.#version);
    }
    return this.selects ? (object) => this.matchesNow(object) : () => true;
  }

  /** The form must be at hand if `needsForm` says so. */
  matchesNow(object: CachedObject): boolean {
    if (!this.#labels.empty && !this.#labels.matches(object.metadata.labels ?? {})) return false;
    return this.#fields.empty || this.#matchesFields(object);
  }

  get needsForm(): boolean {
    return this.#looksInside;
  }

  #matchesFields(object: CachedObject): boolean {
    const { name, namespace } = object.metadata;
    const json = this.#looksInside ? parseOwnBytes(this.#formOf(object)) : undefined;
    return this.#fields.matches((field) => {
      if (field === 'metadata.name') return name;
      if (field === 'metadata.namespace') return namespace;
      return this.#version.selectableFields.find((selectable) => selectable.name === field)?.value(json!);
    });
  }

  #formOf(object: CachedObject): Uint8Array {
    const form = this.#resource.formNow(object, this.#version);
    invariant(form !== undefined, 'a field selector was evaluated before the object was converted');
    return form;
  }
}

export function selectionOf(
  resource: Resource,
  version: VersionDefinition,
  options: Pick<ListOptions, 'labelSelector' | 'fieldSelector'>,
  name = '',
): Selection {
  const labels = parsed(() => parseLabelSelector(options.labelSelector));
  const fields = parsed(() => parseFieldSelector(name === '' ? options.fieldSelector : withName(options.fieldSelector, name)));
  for (const { field } of fields.requirements) {
    if (!isSupported(field, resource.definition.namespaced, version.selectableFields)) throw unsupported(field, version);
  }
  return new Selection(resource, version, labels, fields);
}

const withName = (selector: string, name: string): string => `${selector === '' ? '' : `${selector},`}metadata.name=${name}`;

function unsupported(field: string, version: VersionDefinition) {
  return apiErrors.badRequest(version.unsupportedFieldSelector?.(field) ?? `field label not supported: ${field}`);
}

function isSupported(field: string, namespaced: boolean, selectable: readonly SelectableField[]): boolean {
  if (field === 'metadata.name') return true;
  if (field === 'metadata.namespace') return namespaced;
  return selectable.some(({ name }) => name === field);
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw apiErrors.badRequest((error as Error).message);
  }
}
