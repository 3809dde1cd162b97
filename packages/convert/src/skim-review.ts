// Finds the objects in an answer without parsing them. An object that came back with the expected head, and
// whose members are all in the schema, need never be parsed.

import { encodeUtf8 } from '@instar/go';
import { ANYTHING, endOfObject, hashOfName, isSameText, type JsonShape, Skimmer } from '@instar/machinery';
import type { Encoded } from './batches.ts';
import { concatenated } from './concatenated.ts';

export interface SkimmedReview {
  /** The review, with an empty list in place of its objects. */
  readonly envelope: Uint8Array;
  readonly objects: readonly SkimmedObject[];
}

/** Positions in the answer. */
export interface SkimmedObject {
  readonly start: number;
  readonly end: number;
  /**
   * Where the members of metadata begin and where metadata ends, if nothing else has to be looked at; and
   * whether it came back as it was sent.
   */
  readonly metadata?: { readonly start: number; readonly end: number; readonly isAsSent: boolean };
}

/** What a converted object begins with, as encoders of Go and JavaScript write it. */
export class ExpectedHead {
  readonly #heads: readonly Uint8Array[];

  constructor(apiVersion: string, kind: string) {
    const [version, name] = [`"apiVersion":${JSON.stringify(apiVersion)}`, `"kind":${JSON.stringify(kind)}`];
    this.#heads = [`{${version},${name},"metadata":`, `{${name},${version},"metadata":`].map(encodeUtf8);
  }

  isAt(skimmer: Skimmer): boolean {
    return this.#heads.some((head) => skimmer.takesText(head));
  }
}

const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, COMMA, NEWLINE] = [0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x0a];
const RESPONSE = { key: encodeUtf8('"response":'), opens: OPEN };
const OBJECTS = { key: encodeUtf8('"convertedObjects":'), opens: OPEN_LIST };
const HEAD_HASHES = ['apiVersion', 'kind', 'metadata'].map(hashOfName);

/** The answer to `batch`. Undefined if it is written in an unusual way: then it has to be parsed. */
export function skimReview(
  bytes: Uint8Array,
  batch: readonly Encoded[],
  head: ExpectedHead,
  shape: JsonShape,
): SkimmedReview | undefined {
  return new ReviewSkimmer(bytes, batch, head, shape).review();
}

class ReviewSkimmer {
  readonly #bytes: Uint8Array;
  readonly #batch: readonly Encoded[];
  readonly #head: ExpectedHead;
  readonly #shape: JsonShape;
  readonly #skimmer: Skimmer;
  #list: { start: number; end: number; objects: SkimmedObject[] } | undefined;

  constructor(bytes: Uint8Array, batch: readonly Encoded[], head: ExpectedHead, shape: JsonShape) {
    this.#bytes = bytes;
    this.#batch = batch;
    this.#head = head;
    this.#shape = shape;
    this.#skimmer = new Skimmer(bytes);
  }

  review(): SkimmedReview | undefined {
    const isRead =
      this.#skimmer.takes(OPEN) &&
      this.#members(RESPONSE, () => this.#members(OBJECTS, () => this.#objects()));
    // Stream encoders append one.
    this.#skimmer.takes(NEWLINE);
    if (!isRead || this.#skimmer.at !== this.#bytes.length || this.#list === undefined) return undefined;
    const { start, end, objects } = this.#list;
    return { envelope: concatenated(this.#bytes.subarray(0, start), this.#bytes.subarray(end)), objects };
  }

  /**
   * The members of an object; `read` reads the one with this key. If the key occurs twice, the last one
   * counts.
   */
  #members({ key, opens }: { key: Uint8Array; opens: number }, read: () => boolean): boolean {
    const skimmer = this.#skimmer;
    let isRead = false;
    do {
      if (skimmer.takesText(key)) {
        if (isRead || !skimmer.takes(opens) || !read()) return false;
        isRead = true;
      } else if (!skimmer.member(ANYTHING)) return false;
    } while (skimmer.takes(COMMA));
    return skimmer.takes(CLOSE);
  }

  #objects(): boolean {
    const skimmer = this.#skimmer;
    const start = skimmer.at;
    const objects: SkimmedObject[] = [];
    if (!skimmer.takes(CLOSE_LIST)) {
      do {
        const object = this.#object(this.#batch[objects.length]);
        if (object === undefined) return false;
        objects.push(object);
      } while (skimmer.takes(COMMA));
      if (!skimmer.takes(CLOSE_LIST)) return false;
    }
    this.#list = { start, end: skimmer.at - 1, objects };
    return true;
  }

  #object(sent: Encoded | undefined): SkimmedObject | undefined {
    const skimmer = this.#skimmer;
    const start = skimmer.at;
    const metadata = this.#knownObject(sent);
    if (metadata !== undefined) return { start, end: skimmer.at, metadata };
    skimmer.at = start;
    if (this.#bytes[start] === OPEN) skimmer.at = endOfObject(this.#bytes, start);
    else if (!skimmer.value(ANYTHING)) return undefined;
    return { start, end: skimmer.at };
  }

  /** Where its metadata is. */
  #knownObject(sent: Encoded | undefined): SkimmedObject['metadata'] {
    const skimmer = this.#skimmer;
    if (!this.#head.isAt(skimmer) || this.#bytes[skimmer.at] !== OPEN) return undefined;
    const start = skimmer.at + 1;
    const isAsSent = this.#stepsOverSent(sent, start);
    if (!isAsSent && !skimmer.value(ANYTHING)) return undefined;
    const end = skimmer.at;
    return skimmer.restOfObject(this.#shape, HEAD_HASHES) ? { start, end, isAsSent } : undefined;
  }

  /** Most webhooks leave metadata alone, and comparing is much cheaper than skimming. */
  #stepsOverSent(sent: Encoded | undefined, start: number): boolean {
    if (sent === undefined || typeof sent.json === 'string') return false;
    const { rest, metadataLength } = sent.json;
    if (!isSameText(this.#bytes, start, rest, metadataLength)) return false;
    this.#skimmer.at = start + metadataLength;
    return true;
  }
}
