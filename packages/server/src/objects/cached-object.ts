// One stored object in memory: its bytes with the resourceVersion spliced in, and the forms that clients have
// requested. Objects are parsed only when something must look inside them, and the parsed value is not
// cached.
import type { CutJson } from '@instar/convert';
import {
  encodeJson,
  endOfMembers,
  endOfObject,
  type KubeObject,
  type ObjectMeta,
  parseJson,
  readableMetadata,
} from '@instar/machinery';
import { type StoredEntry, StoreError } from '@instar/store';
import { parseOwnBytes } from '../wire/own-json.ts';
import { decodeProtobuf } from '../wire/protobuf/decode.ts';
import { allocateForm } from './forms/form-memory.ts';

/** The layout that our own encoder writes. Values of other writers are re-encoded into it once, when read. */
const HEAD = /^\{"apiVersion":"[^"\\]*","kind":"[^"\\]*","metadata":\{(?=")/;
/** apiVersion (253 + 63 characters at most) and kind (63) always end well before this. */
const HEAD_BYTES = 640;

/**
 * The bytes of an object for the store: apiVersion, kind and metadata first, and no resourceVersion, which
 * the store keeps itself.
 */
export function encodeForStore(object: KubeObject): Uint8Array {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return encodeInLayout(object, metadata);
}

/** The bytes of an object for a client, in the same layout. */
export function encodeForClient(object: KubeObject): Uint8Array {
  return encodeInLayout(object, object.metadata);
}

function encodeInLayout(
  { apiVersion, kind, metadata: _, ...rest }: KubeObject,
  metadata: ObjectMeta,
): Uint8Array {
  const text = encodeJson({ apiVersion, kind, metadata, ...rest });
  if (text.startsWith('{"apiVersion"')) return Buffer.from(text);
  // JavaScript puts members whose names are integers before all others.
  const head = encodeJson({ apiVersion, kind, metadata });
  return Buffer.from(`${head.slice(0, -1)},${encodeJson(rest).slice(1)}`);
}

const NEWLINE = 0x0a;
/** The k of "k8s\0". */
const PROTOBUF_START = 0x6b;

/** Where the members of metadata begin, or -1 if the bytes have another layout. */
function metadataStart(bytes: Uint8Array): number {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Go's encoder ends with a newline. Inside a watch frame, which is one line, it would split the event.
  if (whole.includes(NEWLINE)) return -1;
  return HEAD.exec(whole.toString('latin1', 0, HEAD_BYTES))?.[0].length ?? -1;
}

/** Of what kube-apiserver, or a server like this one, has encrypted. */
const ENCRYPTED = Buffer.from('k8s:enc:');

const revisionMember = (revision: number): string => `"resourceVersion":"${revision}",`;

function spliceRevision({ key, value, modRevision }: StoredEntry): { bytes: Uint8Array; start: number } {
  let bytes = value;
  let start = metadataStart(bytes);
  if (start < 0) {
    bytes = inOwnLayout(value, key);
    start = metadataStart(bytes);
  }
  if (start < 0) throw new StoreError('corrupt', `what is stored at ${key} is not an object`);
  return { bytes: concat(bytes, start, start, modRevision), start };
}

/**
 * Other writers may leave white space, and numbers that only the exact parser preserves. kube-apiserver
 * stores built-in kinds in protobuf.
 */
function inOwnLayout(value: Uint8Array, key: string): Uint8Array {
  if (ENCRYPTED.equals(value.subarray(0, ENCRYPTED.length)))
    throw new StoreError(
      'unreadable',
      `unable to transform key ${JSON.stringify(key)}: it is encrypted: see --encryption-provider-config`,
    );
  try {
    const object = value[0] === PROTOBUF_START ? decodeProtobuf(value) : parseJson(value).value;
    return encodeForStore(object as unknown as KubeObject);
  } catch (cause) {
    throw new StoreError('corrupt', `what is stored at ${key} is not an object`, { cause });
  }
}

/** `bytes` with the range from `from` to `to` replaced by the revision. */
function concat(bytes: Uint8Array, from: number, to: number, revision: number): Uint8Array {
  const member = revisionMember(revision);
  const out = Buffer.allocUnsafe(bytes.byteLength - (to - from) + member.length);
  out.set(bytes.subarray(0, from), 0);
  out.write(member, from, 'latin1');
  out.set(bytes.subarray(to), from + member.length);
  return out;
}

/** managedFields are most of the metadata, too much to cache for every object. */
function withoutManagedFields({ managedFields: _, ...metadata }: ObjectMeta): ObjectMeta {
  return metadata;
}

type Labels = Readonly<Record<string, string>>;

/** An entry of a linked list: objects have few forms, and a map would take five times the memory. */
interface Form {
  readonly apiVersion: string;
  readonly bytes: Uint8Array;
  readonly labels: Labels | undefined;
  readonly next: Form | undefined;
}

function withoutForm(forms: Form | undefined, apiVersion: string): Form | undefined {
  if (forms === undefined) return undefined;
  const next = withoutForm(forms.next, apiVersion);
  if (forms.apiVersion === apiVersion) return next;
  return next === forms.next ? forms : { ...forms, next };
}

let lastStart = { apiVersion: '', kind: '', bytes: new Uint8Array() };

/**
 * Everything up to and including the opening brace of metadata. Forms are made many of one version at a time.
 */
function startOfForms(apiVersion: string, kind: string): Uint8Array {
  if (lastStart.apiVersion !== apiVersion || lastStart.kind !== kind) {
    const text = `{"apiVersion":${JSON.stringify(apiVersion)},"kind":${JSON.stringify(kind)},"metadata":{`;
    lastStart = { apiVersion, kind, bytes: Buffer.from(text, 'latin1') };
  }
  return lastStart.bytes;
}

/** The bytes of a form, given those of `encodeForStore`. */
export function withRevision(bytes: Uint8Array, revision: number): Uint8Array {
  const start = metadataStart(bytes);
  return concat(bytes, start, start, revision);
}

export class CachedObject {
  readonly key: string;
  readonly revision: number;
  readonly createRevision: number;
  /** The stored object with its resourceVersion: neither converted nor pruned nor defaulted. */
  readonly raw: Uint8Array;
  readonly #start: number;
  /** Where metadata ends in `raw`; 0 until it is first needed. */
  #end = 0;
  #metadata: ObjectMeta | undefined;
  #apiVersion: string | undefined;
  #managedVersions: ReadonlySet<string> | undefined;
  /** What clients get in each apiVersion. Most objects have one form, and its bytes are `raw` itself. */
  #forms: Form | undefined;
  #formsGeneration: object | undefined;
  /**
   * The schema that prunes nothing from `raw` and defaults nothing in it, if that is known. Stays valid when
   * only the conversion changes.
   */
  #completeBy: object | undefined;
  /** Set by `atRevision`: the object that has the same forms except for the revision. */
  #origin: CachedObject | undefined;

  private constructor(key: string, revision: number, createRevision: number, raw: Uint8Array, start: number) {
    this.key = key;
    this.revision = revision;
    this.createRevision = createRevision;
    this.raw = raw;
    this.#start = start;
  }

  static fromEntry(entry: StoredEntry): CachedObject {
    const { bytes, start } = spliceRevision(entry);
    return new CachedObject(entry.key, entry.modRevision, entry.createRevision, bytes, start);
  }

  /** The same object as clients see it when it was deleted at `revision`. */
  atRevision(revision: number): CachedObject {
    const end = this.#start + revisionMember(this.revision).length;
    const raw = concat(this.raw, this.#start, end, revision);
    const later = new CachedObject(this.key, revision, this.createRevision, raw, this.#start);
    if (this.#metadata !== undefined) later.seed(this.#metadata);
    later.#managedVersions = this.#managedVersions;
    later.#origin = this;
    return later;
  }

  /** A fresh copy, for the caller to change. */
  parse(): KubeObject {
    return parseOwnBytes(this.raw) as unknown as KubeObject;
  }

  /**
   * A fresh copy of all metadata, as it is in a form of this object; the rest of the object is not parsed.
   */
  parseMetadata(form = this.raw): ObjectMeta {
    const start = this.#startIn(form);
    return parseOwnBytes(form.subarray(start - 1, this.#endIn(form, start))) as ObjectMeta;
  }

  #endIn(form: Uint8Array, start: number): number {
    if (form !== this.raw) return endOfMembers(form, start);
    if (this.#end === 0) this.#end = endOfMembers(form, start);
    return this.#end;
  }

  #startIn(form: Uint8Array): number {
    return form === this.raw ? this.#start : metadataStart(form);
  }

  /** Without managedFields, which are most of it and needed by writes only. Shared: do not change. */
  get metadata(): ObjectMeta {
    this.#metadata ??= withoutManagedFields(readableMetadata(this.parseMetadata()));
    return this.#metadata;
  }

  /** The version that the object is stored in, which need not be the storage version. */
  get storedApiVersion(): string {
    this.#apiVersion ??= interned(
      /^\{"apiVersion":"([^"]*)"/.exec(
        Buffer.from(this.raw.buffer, this.raw.byteOffset, this.#start).toString('latin1'),
      )![1]!,
    );
    return this.#apiVersion;
  }

  /** The apiVersions that managedFields name, each once. */
  managedVersions(): ReadonlySet<string> {
    this.#managedVersions ??= sharedSet(apiVersionsIn(this.#managedFields()));
    return this.#managedVersions;
  }

  /** As text. Quotes inside strings are escaped, so nothing else in metadata looks like its beginning. */
  #managedFields(): string {
    const bytes = Buffer.from(this.raw.buffer, this.raw.byteOffset, this.raw.byteLength);
    const start = bytes.indexOf(MANAGED_FIELDS, this.#start);
    if (start < 0 || start > this.#endIn(this.raw, this.#start)) return '';
    let end = start + MANAGED_FIELDS.length;
    while (bytes[end] === OPEN) {
      end = endOfObject(bytes, end);
      if (bytes[end] === COMMA) end++;
    }
    return bytes.toString('latin1', start, end);
  }

  /** True if the text occurs anywhere in the stored bytes. */
  mentions(text: Buffer): boolean {
    return Buffer.from(this.raw.buffer, this.raw.byteOffset, this.raw.byteLength).includes(text);
  }

  /**
   * The form for an apiVersion, if it was made under `generation` (an identity that changes with the
   * definition).
   */
  form(apiVersion: string, generation: object): Uint8Array | undefined {
    return this.#formIn(apiVersion, generation)?.bytes;
  }

  #formIn(apiVersion: string, generation: object): Form | undefined {
    let own = this.#formsGeneration === generation ? this.#forms : undefined;
    while (own !== undefined && own.apiVersion !== apiVersion) own = own.next;
    if (own !== undefined || this.#origin === undefined) return own;
    const earlier = this.#origin.#formIn(apiVersion, generation);
    if (earlier === undefined) return undefined;
    this.cacheForm(
      apiVersion,
      generation,
      this.#withOwnRevision(earlier.bytes, this.#origin),
      earlier.labels,
    );
    return this.#forms;
  }

  #withOwnRevision(form: Uint8Array, { raw, revision }: CachedObject): Uint8Array {
    if (form === raw) return this.raw;
    const start = metadataStart(form);
    return concat(form, start, start + revisionMember(revision).length, this.revision);
  }

  /** `labels` if they differ from the stored ones: a conversion may change them. */
  cacheForm(apiVersion: string, generation: object, bytes: Uint8Array, labels?: Labels): void {
    const others = this.#formsGeneration === generation ? withoutForm(this.#forms, apiVersion) : undefined;
    this.#forms = { apiVersion, bytes, labels, next: others };
    this.#formsGeneration = generation;
  }

  isCompleteBy(schema: object): boolean {
    return this.#completeBy === schema;
  }

  markComplete(schema: object): void {
    this.#completeBy = schema;
  }

  dropForm(apiVersion: string, generation: object): void {
    if (this.#formsGeneration === generation) this.#forms = withoutForm(this.#forms, apiVersion);
  }

  /** The labels that the object has in a version. The form must have been made, if it has to be converted. */
  labelsIn(apiVersion: string, generation: object): Labels {
    if (apiVersion === this.storedApiVersion) return this.metadata.labels ?? {};
    return this.#formIn(apiVersion, generation)?.labels ?? this.metadata.labels ?? {};
  }

  /**
   * The bytes before and after the resourceVersion in a form of this object: conversion webhooks do not get
   * it.
   */
  cutAtRevision(form: Uint8Array): CutJson {
    const head = this.#beforeRevision(form);
    const rest = this.afterRevision(form);
    return {
      head,
      rest,
      metadataLength: this.#endIn(form, head.byteLength) - (form.byteLength - rest.byteLength),
    };
  }

  withoutRevision(form: Uint8Array): Uint8Array {
    return Buffer.concat([this.#beforeRevision(form), this.afterRevision(form)]);
  }

  // `subarray` of a Buffer makes a Buffer, which costs several times as much.
  #beforeRevision(form: Uint8Array): Uint8Array {
    return new Uint8Array(form.buffer, form.byteOffset, this.#startIn(form));
  }

  afterRevision(form: Uint8Array): Uint8Array {
    const end = this.#startIn(form) + revisionMember(this.revision).length;
    return new Uint8Array(form.buffer, form.byteOffset + end, form.byteLength - end);
  }

  /** A form, given the bytes that follow its resourceVersion. */
  formOf(apiVersion: string, kind: string, rest: Uint8Array): Uint8Array {
    const start = startOfForms(apiVersion, kind);
    const member = revisionMember(this.revision);
    const form = allocateForm(start.length + member.length + rest.byteLength);
    form.set(start);
    form.write(member, start.length, 'latin1');
    form.set(rest, start.length + member.length);
    return form;
  }

  /** Without parsing: false only if metadata certainly has no such member. */
  mayHave(member: 'ownerReferences' | 'deletionTimestamp'): boolean {
    if (this.#metadata !== undefined) return this.#metadata[member] !== undefined;
    return this.mentions(MEMBER_NAMES[member]);
  }

  /** Takes over what the write that stored the object knew of it, so that it need not be parsed again. */
  seed(metadata: ObjectMeta, apiVersion?: string): void {
    if (apiVersion !== undefined) this.#apiVersion ??= interned(apiVersion);
    if (this.#metadata === undefined) {
      // Set afterwards: `{ ...known, more }` creates a hidden class for every object, three times the size of
      // what is cached here.
      const known = withoutManagedFields(metadata);
      known.resourceVersion = String(this.revision);
      this.#metadata = known;
    }
    if (metadata.managedFields !== undefined)
      this.#managedVersions ??= sharedSet(metadata.managedFields.map(({ apiVersion = '' }) => apiVersion));
  }
}

const MEMBER_NAMES = {
  ownerReferences: Buffer.from('"ownerReferences"'),
  deletionTimestamp: Buffer.from('"deletionTimestamp"'),
};
const MANAGED_FIELDS = Buffer.from('"managedFields":[');
const [OPEN, COMMA] = [0x7b, 0x2c];

/** Each entry has one. Field names in entries begin with f: and the like, so they do not match. */
const apiVersionsIn = (managedFields: string): string[] =>
  Array.from(managedFields.matchAll(/"apiVersion":"([^"]*)"/g), ([, name]) => name!);

const NONE: ReadonlySet<string> = new Set();

/** Many objects name the same few versions: each text and each set is held once. */
const texts = new Map<string, string>();
const sets = new Map<string, ReadonlySet<string>>();
/** More versions than exist. Invented names in managedFields must not fill the memory. */
const MAX_INTERNED = 10_000;

function interned(text: string): string {
  const known = texts.get(text);
  if (known === undefined && texts.size < MAX_INTERNED) texts.set(text, text);
  return known ?? text;
}

function sharedSet(apiVersions: readonly string[]): ReadonlySet<string> {
  const names = new Set(apiVersions);
  names.delete('');
  if (names.size === 0) return NONE;
  const key = [...names].join();
  const known = sets.get(key);
  if (known === undefined && sets.size < MAX_INTERNED) sets.set(key, names);
  return known ?? names;
}
