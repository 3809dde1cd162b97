// The objects of a review as bytes, one after the other, and the answer to it: for objects that are not
// parsed, and those between them that are.
import { endOfObject, isAt, type JsonValue, SparseReader, Splicer } from '@instar/machinery';
import type { SpareMemory } from '@instar/serving';
import { parseExactly } from '../review/parse-body.ts';
import { CutError, type FoundObjects } from './cut-objects.ts';
import type { BytesConverter } from './definition.ts';

/** What an object begins with, as API servers write it. */
export interface Head {
  readonly apiVersion: string;
  readonly kind: string;
}

const HEAD = /^\{"apiVersion":"([\w./-]+)","kind":"([\w-]+)"/;
const LONGEST_HEAD = 512;
/** So many bytes take well less than a turn. */
const STRETCH = 64 * 1024;
const [OPEN, COMMA] = [0x7b, 0x2c];
const BETWEEN = Uint8Array.of(COMMA);

export class BytesList {
  readonly #body: Buffer;
  readonly #end: number;
  readonly #reader: SparseReader;
  readonly #answer: Splicer;
  readonly #memory: SpareMemory | undefined;
  #taken: Buffer[] = [];
  /** Of the objects before: nearly always the next one has the same. */
  #head: (Head & { readonly bytes: Uint8Array }) | undefined;

  constructor(body: Buffer, { start, end }: FoundObjects, memory?: SpareMemory) {
    this.#memory = memory;
    this.#body = body;
    this.#end = end;
    this.#reader = new SparseReader(body, start);
    this.#answer = new Splicer(body, memory && ((bytes) => this.#take(memory, bytes)));
  }

  /** Of the object that comes next; undefined if it begins with something else. */
  head(): Head | undefined {
    const { at } = this.#reader;
    if (this.#head !== undefined && isAt(this.#body, at, at + this.#head.bytes.length, this.#head.bytes))
      return this.#head;
    const match = HEAD.exec(this.#body.toString('latin1', at, at + LONGEST_HEAD));
    if (match === null) return undefined;
    this.#head = {
      apiVersion: match[1]!,
      kind: match[2]!,
      bytes: this.#body.subarray(at, at + match[0].length),
    };
    return this.#head;
  }

  /** Converts objects of that kind and goes behind them. How many; none if the first has to be parsed. */
  convert(converter: BytesConverter, kind: string): number {
    return converter.convertSome(this.#reader, this.#answer, kind, this.#reader.at + STRETCH);
  }

  /** The object as a value, which is left behind. */
  parsed(): JsonValue {
    const { at } = this.#reader;
    if (this.#body[at] !== OPEN) throw new CutError('something in the list is no object');
    this.#reader.at = endOfObject(this.#body, at);
    try {
      return parseExactly(this.#body.toString('utf8', at, this.#reader.at));
    } catch (error) {
      throw new CutError('something in the list is no JSON', { cause: error });
    }
  }

  /** What stands before, between or behind: JSON, or a part of it. */
  write(text: string): void {
    this.#answer.text(Buffer.from(text));
  }

  /** Whether there is another object. */
  next(): boolean {
    if (this.#reader.takes(COMMA)) {
      this.#answer.text(BETWEEN);
      return true;
    }
    if (this.#reader.at !== this.#end) throw new CutError('the list ends where it should not');
    return false;
  }

  /** All that was converted and written, in one piece. Good until it is released. */
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
