// Makes the forms of objects under one definition: from stored objects and from the results of conversions.
import {
  ConversionFailure,
  type ConversionSource,
  type ImmediateConverter,
  isFailure,
  outcomeNow,
} from '@instar/convert';
import { STASH_ANNOTATION, takeStash } from '@instar/lens';
import { deepEqual, gvkOf, isKnownJson, type KubeObject, type ObjectMeta, printGvk } from '@instar/machinery';
import { type CachedObject, encodeForClient } from '../cached-object.ts';
import type { ResourceDefinition, VersionDefinition } from '../definition.ts';
import { type CachedForms, generationOf } from './cached-forms.ts';
import { completeStored, prune } from './completeness.ts';
import type { FormOutcome } from './form-outcome.ts';
import { StoredSource } from './stored-source.ts';

const STASH = Buffer.from(JSON.stringify(STASH_ANNOTATION));

export class FormMaker {
  readonly #definition: ResourceDefinition;
  /** By apiVersion: the version an object is stored in is looked up for every object of a list. */
  readonly #versions: ReadonlyMap<string, VersionDefinition>;
  readonly #generation: object;
  readonly #cachedForms: CachedForms;

  constructor(definition: ResourceDefinition, cachedForms: CachedForms) {
    this.#definition = definition;
    this.#versions = new Map(definition.versions.map((version) => [version.apiVersion, version]));
    this.#generation = generationOf(definition);
    this.#cachedForms = cachedForms;
  }

  /** The form, if it is cached or can be made without waiting; or why it cannot be made. */
  outcomeNow(cached: CachedObject, version: VersionDefinition): FormOutcome | undefined {
    const known = cached.form(version.apiVersion, this.#generation);
    if (known !== undefined) return known;
    if (cached.storedApiVersion === version.apiVersion) return this.#makeStored(cached, version);
    const { converter } = this.#definition;
    if (converter.convertNow === undefined) return undefined;
    const relabeled = converter.onlyRelabels ? this.#relabeled(cached, version) : undefined;
    if (relabeled !== undefined) return this.fromJson(cached, version, relabeled);
    const converted = this.convertStored(cached, version, converter);
    if (isFailure(converted)) return converted;
    return this.fromConverted(
      cached,
      version,
      converted,
      converter.usesStash ? cached.metadata.labels : converted.metadata.labels,
    );
  }

  /** The object in the version it is stored in, pruned and defaulted by it: what converters get. */
  storedForm(cached: CachedObject, stored: VersionDefinition): Uint8Array {
    return cached.form(stored.apiVersion, this.#generation) ?? this.#makeStored(cached, stored);
  }

  /**
   * What clients get in the version that the object is stored in, or the stored object if that version is no
   * longer defined.
   */
  inStoredVersion(cached: CachedObject): Uint8Array {
    const version = this.#versions.get(cached.storedApiVersion);
    return version === undefined ? this.asStored(cached) : this.storedForm(cached, version);
  }

  /** What clients may see of the stored object, neither pruned nor defaulted. */
  asStored(cached: CachedObject): Uint8Array {
    if (cached.metadata.annotations?.[STASH_ANNOTATION] === undefined) return cached.raw;
    const object = cached.parse();
    return this.#hideStash(object) ? encodeForClient(object) : cached.raw;
  }

  /** Why the object cannot be sent to a converter; undefined if it can. */
  refusal(cached: CachedObject, to: VersionDefinition): ConversionFailure | undefined {
    return this.#versions.has(cached.storedApiVersion) ? undefined : this.#unknownVersion(cached, to);
  }

  notYetConverted(cached: CachedObject, to: VersionDefinition): ConversionFailure {
    const gvk = printGvk(gvkOf(cached.storedApiVersion, this.#definition.names.kind));
    const text = `conversion webhook for ${gvk} has not answered yet`;
    return new ConversionFailure(text, 'timeout', this.#rawSource(cached), to.apiVersion, {
      isUnreachable: true,
    });
  }

  /** The object as a converter gets it. */
  source(cached: CachedObject): ConversionSource {
    const stored = this.#versions.get(cached.storedApiVersion)!;
    return new StoredSource(cached, this.#definition.names.kind, stored, this);
  }

  /** The stored object, pruned and defaulted, in another version; with the stash, if there is one. */
  convertStored(
    cached: CachedObject,
    version: VersionDefinition,
    converter: ImmediateConverter,
  ): KubeObject | ConversionFailure {
    const stored = this.#versions.get(cached.storedApiVersion);
    if (stored === undefined) return this.#unknownVersion(cached, version);
    const object = cached.parse();
    completeStored(object, stored);
    return outcomeNow(converter, object, version.apiVersion);
  }

  /** Makes the form from the result of a conversion: pruned but, as upstream, not defaulted. */
  fromConverted(
    cached: CachedObject,
    version: VersionDefinition,
    object: KubeObject,
    storedLabels: ObjectMeta['labels'],
  ): Uint8Array {
    prune(object, version);
    this.#hideStash(object);
    const { resourceVersion: _, ...metadata } = object.metadata;
    const bytes = encodeForClient({
      ...object,
      metadata: { resourceVersion: String(cached.revision), ...metadata },
    });
    const hasOtherLabels = !deepEqual(metadata.labels ?? {}, storedLabels ?? {});
    return this.#cache(cached, version, bytes, hasOtherLabels ? (metadata.labels ?? {}) : undefined);
  }

  /** The same for a result that needs no pruning and whose metadata is as it was sent. */
  fromJson(cached: CachedObject, version: VersionDefinition, rest: Uint8Array): Uint8Array {
    return this.#cache(cached, version, cached.formOf(version.apiVersion, this.#definition.names.kind, rest));
  }

  #makeStored(cached: CachedObject, version: VersionDefinition): Uint8Array {
    const bytes = this.#isComplete(cached, version) ? cached.raw : this.#completed(cached, version);
    return this.#cache(cached, version, bytes);
  }

  /** False if that is not known without parsing. */
  #isComplete(cached: CachedObject, version: VersionDefinition): boolean {
    if (this.#definition.converter.convertNow !== undefined && cached.mentions(STASH)) return false;
    if (cached.isCompleteBy(version.schema)) return true;
    const shape = version.schema.shape('pruned and defaulted');
    if (version.decode !== undefined || shape === undefined || !isKnownJson(cached.raw, shape)) return false;
    cached.markComplete(version.schema);
    return true;
  }

  #completed(cached: CachedObject, version: VersionDefinition): Uint8Array {
    const object = cached.parse();
    const isChanged = completeStored(object, version);
    return this.#hideStash(object) || isChanged ? encodeForClient(object) : cached.raw;
  }

  /**
   * Everything after the resourceVersion, if the object is the same in the other version except for its
   * apiVersion; undefined if that is not certain.
   */
  #relabeled(cached: CachedObject, version: VersionDefinition): Uint8Array | undefined {
    const stored = this.#versions.get(cached.storedApiVersion);
    const shape = version.schema.shape('pruned');
    if (stored === undefined || shape === undefined) return undefined;
    if (stored.decode !== undefined || version.decode !== undefined) return undefined;
    const form = this.storedForm(cached, stored);
    return isKnownJson(form, shape) ? cached.afterRevision(form) : undefined;
  }

  #cache(
    cached: CachedObject,
    version: VersionDefinition,
    bytes: Uint8Array,
    labels?: ObjectMeta['labels'],
  ): Uint8Array {
    if (this.#cachedForms.isCurrent(version, this.#generation))
      this.#cachedForms.add(cached, version.apiVersion, bytes, labels);
    return bytes;
  }

  /**
   * Removes the stash of a lens, in place; true if there was one. The lens may have been removed since. If a
   * webhook converts, the annotation belongs to the webhook, which needs it back.
   */
  #hideStash(object: KubeObject): boolean {
    if (this.#definition.converter.convertNow === undefined) return false;
    const bare = takeStash(object).object;
    if (bare === object) return false;
    object.metadata = bare.metadata;
    return true;
  }

  /** A version that the definition no longer has, although objects are still stored in it. */
  #unknownVersion(cached: CachedObject, to: VersionDefinition): ConversionFailure {
    const text = `request to convert CR from an invalid group/version: ${cached.storedApiVersion}`;
    return new ConversionFailure(text, 'unknown-version', this.#rawSource(cached), to.apiVersion);
  }

  #rawSource(cached: CachedObject): ConversionSource {
    const { storedApiVersion: apiVersion, metadata } = cached;
    return {
      apiVersion,
      kind: this.#definition.names.kind,
      metadata,
      json: () => cached.cutAtRevision(cached.raw),
    };
  }
}
