// Reads the objects of a review as bytes, one after the other, and writes the answer: most objects stay
// unparsed, some between them are parsed.
import { endOfObject, isAt, type JsonValue, SparseReader, Splicer } from '@instar/machinery';
import type { SpareMemory } from '@instar/serving';
import { parseExactly } from '../review/parse-body.ts';
import { CutError, type FoundObjects } from './cut-objects.ts';
import type { BytesConverter } from './definition.ts';

/** The members with which API servers begin an object. */
export interface ObjectHead {
  readonly apiVersion: string;
  readonly kind: string;
}

const HEAD = /^\{"apiVersion":"([\w./-]+)","kind":"([\w-]+)"/;
const MAX_HEAD_BYTES = 512;
/** Converting this many bytes takes less than a time slice. */
const RANGE_BYTES = 64 * 1024;
const [OPEN, COMMA] = [0x7b, 0x2c];
const BETWEEN = Uint8Array.of(COMMA);

export class BytesList {
  readonly #body: Buffer;
  readonly #end: number;
  readonly #reader: SparseReader;
  readonly #answer: Splicer;
  readonly #memory: SpareMemory | undefined;
  #taken: Buffer[] = [];
  /** Of the object before: the next one nearly always has the same. */
  #head: (ObjectHead & { readonly bytes: Uint8Array }) | undefined;

  constructor(body: Buffer, { start, end }: FoundObjects, memory?: SpareMemory) {
    this.#memory = memory;
    this.#body = body;
    this.#end = end;
    this.#reader = new SparseReader(body, start);
    this.#answer = new Splicer(body, memory && ((bytes) => this.#take(memory, bytes)));
  }

  /** Of the next object; undefined if it does not begin so. */
  head(): ObjectHead | undefined {
    const { at } = this.#reader;
    if (this.#head !== undefined && isAt(this.#body, at, at + this.#head.bytes.length, this.#head.bytes))
      return this.#head;
    const match = HEAD.exec(this.#body.toString('latin1', at, at + MAX_HEAD_BYTES));
    if (match === null) return undefined;
    this.#head = {
      apiVersion: match[1]!,
      kind: match[2]!,
      bytes: this.#body.subarray(at, at + match[0].length),
    };
    return this.#head;
  }

  /** Converts the next objects of that kind. Returns how many; 0 if the next one has to be parsed. */
  convert(converter: BytesConverter, kind: string): number {
    return converter.convertSome(this.#reader, this.#answer, kind, this.#reader.at + RANGE_BYTES);
  }

  /** Parses the next object. */
  parsed(): JsonValue {
    const { at } = this.#reader;
    if (this.#body[at] !== OPEN) throw new CutError('an item of the list is not an object');
    this.#reader.at = endOfObject(this.#body, at);
    try {
      return parseExactly(this.#body.toString('utf8', at, this.#reader.at));
    } catch (error) {
      throw new CutError('an item of the list is not JSON', { cause: error });
    }
  }

  /** Writes JSON, or a part of it, before, between or after objects. */
  write(text: string): void {
    this.#answer.text(Buffer.from(text));
  }

  /** Moves to the next object; false if there is none. */
  next(): boolean {
    if (this.#reader.takes(COMMA)) {
      this.#answer.text(BETWEEN);
      return true;
    }
    if (this.#reader.at !== this.#end) throw new CutError('the list ends in an unexpected position');
    return false;
  }

  /** All that was converted and written, as one array. Valid until `release`. */
  answer(): Uint8Array {
    return this.#answer.bytes();
  }

  release(): void {
    for (const buffer of this.#taken) this.#memory!.give(buffer);
    this.#taken = [];
  }

  #take(memory: SpareMemory, bytes: number): Buffer {
    const buffer = memory.take(bytes);
    this.#taken.push(buffer);
    return buffer;
  }
}
