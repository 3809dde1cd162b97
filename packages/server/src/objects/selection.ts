// The objects of a collection that a request selects: by label selector, field selector, name.
import {
  apiErrors,
  escapeFieldValue,
  type FieldSelector,
  invariant,
  type LabelSelector,
  type ObjectMeta,
  parseFieldSelector,
  parseLabelSelector,
} from '@instar/machinery';
import { parseOwnBytes } from '../wire/own-json.ts';
import type { CachedObject } from './cached-object.ts';
import type { ResourceDefinition, SelectableField, VersionDefinition } from './definition.ts';
import { formNow, type ReadOptions, readForms } from './forms/read-forms.ts';
import type { Resource } from './resource.ts';
import { SKIP_UNCONVERTIBLE } from './skip-unconvertible.ts';
import { inSlices } from './time-slice.ts';

/** As a client writes them; empty selects everything. */
interface Selectors {
  readonly labelSelector: string;
  readonly fieldSelector: string;
}

/** True for fields that may differ between versions. */
const isInside = (field: string): boolean => field !== 'metadata.name' && field !== 'metadata.namespace';

export class Selection {
  readonly #resource: Resource;
  readonly #version: VersionDefinition;
  readonly #labels: LabelSelector;
  readonly #fields: FieldSelector;
  readonly #looksInside: boolean;
  /** How objects are to be read for this request. */
  readonly read: ReadOptions;

  constructor(
    resource: Resource,
    version: VersionDefinition,
    labels: LabelSelector,
    fields: FieldSelector,
    read: ReadOptions = {},
  ) {
    this.read = read;
    this.#resource = resource;
    this.#version = version;
    this.#labels = labels;
    this.#fields = fields;
    this.#looksInside = fields.requirements.some(({ field }) => isInside(field));
  }

  /** False: everything is selected. */
  get isSelective(): boolean {
    return !this.#labels.empty || !this.#fields.empty;
  }

  /**
   * The objects that are selected, up to `limit`, and where the search ended. They are converted together
   * where necessary, and looked at in slices: with many objects and a long selector it takes a while.
   */
  async select(
    objects: readonly CachedObject[],
    limit = Number.POSITIVE_INFINITY,
  ): Promise<{ readonly selected: CachedObject[]; readonly end: number }> {
    if (!this.isSelective) return { selected: objects.slice(0, limit), end: Math.min(objects.length, limit) };
    const candidates: CachedObject[] = [];
    await inSlices(objects, (object) => {
      if (this.#mustSee(object)) candidates.push(object);
    });
    // Held until then: of many forms, the first may have been dropped from the cache when the last is made.
    const forms =
      candidates.length > 0
        ? await readForms(this.#resource.forms, candidates, this.#version, this.read)
        : [];
    const made = new Map(candidates.map((object, index) => [object, forms[index]]));
    const selected: CachedObject[] = [];
    const end = await inSlices(objects, (object) => {
      if (this.matchesNow(object, made.get(object))) selected.push(object);
      return selected.length < limit;
    });
    return { selected, end };
  }

  /** If `needsForm`, the form must be cached or passed. */
  matchesNow(object: CachedObject, made?: Uint8Array): boolean {
    const mayBeSkipped = this.read.skip !== undefined && made === undefined && this.needsForm(object);
    if (mayBeSkipped && this.#resource.forms.formIfPossible(object, this.#version) === undefined)
      return false;
    if (!this.#labels.empty && !this.#labels.matches(this.#labelsOf(object, made))) return false;
    return this.#fields.empty || this.#matchesFields(object, made);
  }

  /**
   * True if the object must be read in the version of the request: for its fields, or for labels that a
   * conversion may have changed.
   */
  needsForm(object: CachedObject): boolean {
    return this.#looksInside || this.#seesConvertedLabels(object);
  }

  #seesConvertedLabels({ storedApiVersion }: CachedObject): boolean {
    if (this.#labels.empty || this.read.asStored) return false;
    return this.#resource.convertsLabels && storedApiVersion !== this.#version.apiVersion;
  }

  #mustSee(object: CachedObject): boolean {
    if (this.#seesConvertedLabels(object)) return true;
    return this.#looksInside && (this.#labels.empty || this.#labels.matches(object.metadata.labels ?? {}));
  }

  #labelsOf(object: CachedObject, made: Uint8Array | undefined) {
    if (this.read.asStored) return object.metadata.labels ?? {};
    const { apiVersion } = this.#version;
    const { generation } = this.#resource.forms;
    const isCached =
      made === undefined ||
      !this.#seesConvertedLabels(object) ||
      object.form(apiVersion, generation) !== undefined;
    return isCached
      ? object.labelsIn(apiVersion, generation)
      : ((parseOwnBytes(made)['metadata'] as ObjectMeta).labels ?? {});
  }

  #matchesFields(object: CachedObject, made: Uint8Array | undefined): boolean {
    const { name, namespace } = object.metadata;
    const json = this.#looksInside ? parseOwnBytes(made ?? this.#formOf(object)) : undefined;
    return this.#fields.matches((field) => {
      if (field === 'metadata.name') return name;
      if (field === 'metadata.namespace') return namespace;
      return this.#version.selectableFields.find((selectable) => selectable.name === field)?.value(json!);
    });
  }

  #formOf(object: CachedObject): Uint8Array {
    if (this.read.orStored) return this.#resource.forms.formIfPossible(object, this.#version) ?? object.raw;
    const form = formNow(this.#resource.forms, object, this.#version);
    invariant(form !== undefined, 'a field selector was evaluated before the object was converted');
    return form;
  }
}

export function selectionOf(
  resource: Resource,
  version: VersionDefinition,
  options: Selectors,
  name = '',
  read: ReadOptions = {},
): Selection {
  const labels = parsed(() => parseLabelSelector(options.labelSelector));
  const fields = parsed(() =>
    parseFieldSelector(name === '' ? options.fieldSelector : withName(options.fieldSelector, name)),
  );
  for (const { field } of fields.requirements) {
    if (!isSupported(field, resource.definition, version.selectableFields)) throw unsupported(field, version);
    if (read.asStored && isInside(field)) throw unsupportedAsStored(field);
  }
  return new Selection(resource, version, labels, fields, read);
}

const withName = (selector: string, name: string): string =>
  `${selector === '' ? '' : `${selector},`}metadata.name=${escapeFieldValue(name)}`;

function unsupported(field: string, version: VersionDefinition) {
  return apiErrors.badRequest(
    version.unsupportedFieldSelector?.(field) ?? `field label not supported: ${field}`,
  );
}

function unsupportedAsStored(field: string) {
  return apiErrors.badRequest(
    `field label not supported with ${SKIP_UNCONVERTIBLE}, which takes objects as they are stored: ${field}`,
  );
}

/** Typed kinds without fields of their own have the namespace too, even where objects have none. */
function isSupported(
  field: string,
  { namespaced, typed }: ResourceDefinition,
  selectable: readonly SelectableField[],
): boolean {
  if (field === 'metadata.name') return true;
  if (field === 'metadata.namespace') return namespaced || (typed && selectable.length === 0);
  return selectable.some(({ name }) => name === field);
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw apiErrors.badRequest((error as Error).message);
  }
}
