// Makes the forms of objects under one definition: of what is stored, of what a conversion gave back.
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
import { complete, prune } from './completeness.ts';
import type { FormOutcome } from './form-outcome.ts';
import { generationOf, type KeptForms } from './kept-forms.ts';
import { StoredSource } from './stored-source.ts';

const STASH = Buffer.from(JSON.stringify(STASH_ANNOTATION));

export class FormMaker {
  readonly #definition: ResourceDefinition;
  /** Which version an object is stored in is asked for every object of a list. */
  readonly #versions: ReadonlyMap<string, VersionDefinition>;
  readonly #generation: object;
  readonly #kept: KeptForms;

  constructor(definition: ResourceDefinition, kept: KeptForms) {
    this.#definition = definition;
    this.#versions = new Map(definition.versions.map((version) => [version.apiVersion, version]));
    this.#generation = generationOf(definition);
    this.#kept = kept;
  }

  /** The form, if it is at hand or can be made without waiting; or why it cannot be made. */
  now(cached: CachedObject, version: VersionDefinition): FormOutcome | undefined {
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

  /**
   * The object in the version it is stored in, pruned and defaulted there, which is how converters get it.
   */
  inVersionOf(cached: CachedObject, stored: VersionDefinition): Uint8Array {
    return cached.form(stored.apiVersion, this.#generation) ?? this.#makeStored(cached, stored);
  }

  /**
   * What a client of the version that the object is stored in gets, or as much as can be known of a version
   * that is no longer defined.
   */
  inStoredVersion(cached: CachedObject): Uint8Array {
    const version = this.#versions.get(cached.storedApiVersion);
    return version === undefined ? this.asStored(cached) : this.inVersionOf(cached, version);
  }

  /** What clients may see of the stored object, neither pruned nor defaulted. */
  asStored(cached: CachedObject): Uint8Array {
    if (cached.metadata.annotations?.[STASH_ANNOTATION] === undefined) return cached.raw;
    const object = cached.parse();
    return this.#hideStash(object) ? encodeForClient(object) : cached.raw;
  }

  /** Why the object cannot even be sent to a converter; undefined if it can. */
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

  /** What is stored, complete, in another version; with the stash, if there is one. */
  convertStored(
    cached: CachedObject,
    version: VersionDefinition,
    converter: ImmediateConverter,
  ): KubeObject | ConversionFailure {
    const stored = this.#versions.get(cached.storedApiVersion);
    if (stored === undefined) return this.#unknownVersion(cached, version);
    const object = cached.parse();
    complete(object, stored);
    return outcomeNow(converter, object, version.apiVersion);
  }

  /** Makes the form of what a conversion gave back. It is pruned but, as upstream, not defaulted. */
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
    const areOwn = !deepEqual(metadata.labels ?? {}, storedLabels ?? {});
    return this.#keep(cached, version, bytes, areOwn ? (metadata.labels ?? {}) : undefined);
  }

  /** The same for an answer that need not be pruned and whose metadata is as it was sent. */
  fromJson(cached: CachedObject, version: VersionDefinition, rest: Uint8Array): Uint8Array {
    return this.#keep(cached, version, cached.formOf(version.apiVersion, this.#definition.names.kind, rest));
  }

  #makeStored(cached: CachedObject, version: VersionDefinition): Uint8Array {
    const bytes = this.#isComplete(cached, version) ? cached.raw : this.#completed(cached, version);
    return this.#keep(cached, version, bytes);
  }

  /** False if it is not known without parsing. */
  #isComplete(cached: CachedObject, version: VersionDefinition): boolean {
    if (this.#definition.converter.convertNow !== undefined && cached.mentions(STASH)) return false;
    if (cached.isCompleteBy(version.schema)) return true;
    const shape = version.schema.shape('pruned and defaulted');
    if (version.decode !== undefined || shape === undefined || !isKnownJson(cached.raw, shape)) return false;
    cached.keepComplete(version.schema);
    return true;
  }

  #completed(cached: CachedObject, version: VersionDefinition): Uint8Array {
    const object = cached.parse();
    const isChanged = complete(object, version);
    return this.#hideStash(object) || isChanged ? encodeForClient(object) : cached.raw;
  }

  /**
   * Everything after the resourceVersion, where the other version differs in nothing but its name; undefined
   * if that is not certain.
   */
  #relabeled(cached: CachedObject, version: VersionDefinition): Uint8Array | undefined {
    const stored = this.#versions.get(cached.storedApiVersion);
    const shape = version.schema.shape('pruned');
    if (stored === undefined || shape === undefined) return undefined;
    if (stored.decode !== undefined || version.decode !== undefined) return undefined;
    const form = this.inVersionOf(cached, stored);
    return isKnownJson(form, shape) ? cached.behindRevision(form) : undefined;
  }

  #keep(
    cached: CachedObject,
    version: VersionDefinition,
    bytes: Uint8Array,
    labels?: ObjectMeta['labels'],
  ): Uint8Array {
    if (this.#kept.isCurrent(version, this.#generation))
      this.#kept.keep(cached, version.apiVersion, bytes, labels);
    return bytes;
  }

  /**
   * Takes out what a lens keeps aside, in place; true if there was any. The lens may have been removed since.
   * Under a webhook the annotation is the webhook's own, which needs it back.
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
