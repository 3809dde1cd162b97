// One stored object as the server holds it in memory: the bytes with the resourceVersion put in, and the forms that clients have asked for.
// Objects are parsed only when something must look inside them; what is parsed is not kept.
import { encodeJson, type JsonObject, type KubeObject, type ObjectMeta, parseJson } from '@instar/machinery';
import type { StoredEntry } from '@instar/store';

/** The layout that our own encoder writes. Values of other writers are re-encoded into it once, when they are read. */
const HEAD = /^\{"apiVersion":"[^"\\]*","kind":"[^"\\]*","metadata":\{/;
/** apiVersion (253 + 63 characters at most) and kind (63) always end well before this. */
const HEAD_BYTES = 640;

const encoder = new TextEncoder();

/** The bytes of an object for the store: apiVersion, kind and metadata first, and no resourceVersion, which the store keeps itself. */
export function encodeForStore(object: KubeObject): Uint8Array {
  const { apiVersion, kind, metadata, ...rest } = object;
  const { resourceVersion: _, ...meta } = metadata;
  return Buffer.from(encodeJson({ apiVersion, kind, metadata: meta, ...rest }));
}

/** The bytes of an object for a client, in the same layout. */
export function encodeForClient(object: KubeObject): Uint8Array {
  const { apiVersion, kind, metadata, ...rest } = object;
  return Buffer.from(encodeJson({ apiVersion, kind, metadata, ...rest }));
}

/** Where the members of metadata begin, or -1 if the bytes have another layout. */
function metadataStart(bytes: Uint8Array): number {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEAD_BYTES)).toString('latin1');
  return HEAD.exec(head)?.[0].length ?? -1;
}

const revisionMember = (revision: number): string => `"resourceVersion":"${revision}",`;

function spliceRevision(value: Uint8Array, revision: number): { bytes: Uint8Array; start: number } {
  let bytes = value;
  let start = metadataStart(bytes);
  if (start < 0) {
    bytes = encodeForStore(parseOwnBytes(value) as unknown as KubeObject);
    start = metadataStart(bytes);
  }
  return { bytes: concat(bytes, start, start, revision), start };
}

/** `bytes` with what stands between `from` and `to` replaced by the revision. */
function concat(bytes: Uint8Array, from: number, to: number, revision: number): Uint8Array {
  const member = encoder.encode(revisionMember(revision));
  const out = Buffer.allocUnsafe(bytes.byteLength - (to - from) + member.byteLength);
  out.set(bytes.subarray(0, from), 0);
  out.set(member, from);
  out.set(bytes.subarray(to), from + member.byteLength);
  return out;
}

export class CachedObject {
  readonly key: string;
  readonly revision: number;
  readonly createRevision: number;
  /** The stored object with its resourceVersion: neither converted nor pruned nor defaulted. */
  readonly raw: Uint8Array;
  readonly #start: number;
  #metadata: ObjectMeta | undefined;
  #apiVersion: string | undefined;
  /** What clients get, by apiVersion. Most objects have one form, and its bytes are `raw` itself. */
  #forms: Map<string, Uint8Array> | undefined;
  #formsOf: object | undefined;

  private constructor(key: string, revision: number, createRevision: number, raw: Uint8Array, start: number) {
    this.key = key;
    this.revision = revision;
    this.createRevision = createRevision;
    this.raw = raw;
    this.#start = start;
  }

  static fromEntry(entry: StoredEntry): CachedObject {
    const { bytes, start } = spliceRevision(entry.value, entry.modRevision);
    return new CachedObject(entry.key, entry.modRevision, entry.createRevision, bytes, start);
  }

  /** The same object as it is shown when it was deleted at `revision`. */
  atRevision(revision: number): CachedObject {
    const end = this.#start + revisionMember(this.revision).length;
    return new CachedObject(this.key, revision, this.createRevision, concat(this.raw, this.#start, end, revision), this.#start);
  }

  /** A fresh copy, for the caller to change. */
  parse(): KubeObject {
    return parseOwnBytes(this.raw) as unknown as KubeObject;
  }

  /** Shared: do not change. */
  get metadata(): ObjectMeta {
    this.#metadata ??= this.parse().metadata;
    return this.#metadata;
  }

  /** The version that the object is really stored in. */
  get storedApiVersion(): string {
    this.#apiVersion ??= /^\{"apiVersion":"([^"]*)"/.exec(
      Buffer.from(this.raw.buffer, this.raw.byteOffset, this.#start).toString('latin1'),
    )![1]!;
    return this.#apiVersion;
  }

  /** The form for an apiVersion, if it was made under `generation` (an identity that changes with the definition). */
  form(apiVersion: string, generation: object): Uint8Array | undefined {
    return this.#formsOf === generation ? this.#forms?.get(apiVersion) : undefined;
  }

  keepForm(apiVersion: string, generation: object, bytes: Uint8Array): void {
    if (this.#formsOf !== generation || this.#forms === undefined) {
      this.#forms = new Map();
      this.#formsOf = generation;
    }
    this.#forms.set(apiVersion, bytes);
  }

  /** What is known of the object from the write that made it, so that nobody need parse it again. */
  seed(metadata: ObjectMeta): void {
    this.#metadata ??= metadata;
  }
}

/** A number of 16 digits or more may be beyond what a double holds exactly. */
const LONG_NUMBER = /[:,[]-?\d{16}/;

/** Parses bytes that this server has encoded itself: no duplicate keys, valid JSON. */
export function parseOwnBytes(bytes: Uint8Array): JsonObject {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return (LONG_NUMBER.test(text) ? parseJson(text).value : JSON.parse(text)) as JsonObject;
}
