// All objects of one review, in order and in groups. Gives other work a turn every few milliseconds, and lets
// functions that wait do so side by side.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import type { SpareMemory } from '@instar/serving';
import { type Deadline, isPromise } from '../review/deadline.ts';
import type { ConversionCount, ReviewAnswer } from '../review/webhook.ts';
import { AnswerText } from './answer-text.ts';
import type { BytesList } from './bytes-list.ts';
import { convertObject, type Way } from './convert-object.ts';
import { encodeGroup } from './encode-group.ts';
import { type Failure, failureMessage } from './failure-message.ts';
import type { ConversionAsked } from './read-request.ts';
import { Turns } from './turns.ts';

/** The way from one apiVersion of a kind to another; a sentence if there is none. */
export type FindWay = (kind: string, fromApiVersion: string, toApiVersion: string) => Way | string;

/** Throws a CutError if the review cannot be read in parts. `memory` is for the answer. */
export async function convertBatch(
  asked: ConversionAsked,
  findWay: FindWay,
  deadline: Deadline,
  memory: SpareMemory | undefined,
): Promise<ReviewAnswer> {
  const batch = new Batch(asked, findWay, deadline);
  // If the first object has to be parsed, others will have to be, too: that is done faster in groups.
  if (asked.list !== undefined && batch.begins(asked.list))
    await convertRest(batch, asked.list, new Turns(deadline));
  else {
    asked.list?.release();
    batch.beginsText(new AnswerText(asked.length + ROOM, memory));
    await convertGroups(batch, asked.groups, new Turns(deadline));
  }
  return batch.answer();
}

/** How much longer than the review the answer is expected to be, at most. */
const ROOM = 4096;

/** Of a list whose first objects have been converted. */
async function convertRest(batch: Batch, list: BytesList, turns: Turns): Promise<void> {
  while (list.next()) {
    if (!batch.convertBytes(list)) {
      batch.convert(list.parsed());
      await batch.endGroup();
    }
    if (turns.isOver && !(await turns.next())) return;
  }
}

async function convertGroups(batch: Batch, groups: ConversionAsked['groups'], turns: Turns): Promise<void> {
  for (const group of groups) {
    for (const object of group) {
      batch.convert(object);
      if (turns.isOver && !(await turns.next())) return;
    }
    await batch.endGroup();
  }
}

/** What is being written, in one way or the other. */
interface Written {
  write(text: string): void;
  answer(): Uint8Array;
  release(): void;
}

interface Found {
  readonly count: ConversionCount;
  readonly way: Way | string;
}

class Batch {
  readonly #asked: ConversionAsked;
  readonly #findWay: FindWay;
  readonly #deadline: Deadline;
  #out!: Written;
  /** What is written between groups: a list puts its commas itself. */
  #comma = '';
  #before = '';
  readonly #failures: Failure[] = [];
  readonly #counts: ConversionCount[] = [];
  /** Of the group, in order; a failure leaves a gap. */
  #results: (JsonObject | undefined)[] = [];
  #groupStart = 0;
  #waiting: Promise<void>[] = [];
  /** Of the object before: nearly always it serves the next one, too. */
  #last: Found | undefined;

  constructor(asked: ConversionAsked, findWay: FindWay, deadline: Deadline) {
    this.#asked = asked;
    this.#findWay = findWay;
    this.#deadline = deadline;
  }

  /** Begins an answer of bytes with the first objects of the list; false if that cannot be done. */
  begins(list: BytesList): boolean {
    list.write(this.#bodyStart());
    if (!this.convertBytes(list)) return false;
    this.#out = list;
    return true;
  }

  /** The same for what is parsed. */
  beginsText(text: AnswerText): void {
    this.#out = text;
    this.#comma = ',';
    text.write(this.#bodyStart());
  }

  /** Converts the next objects of the list without parsing them; false if that cannot be done. */
  convertBytes(list: BytesList): boolean {
    const head = list.head();
    const found = head === undefined ? undefined : this.#found(head.kind, head.apiVersion);
    if (found === undefined || typeof found.way === 'string' || found.way.ofBytes === undefined) return false;
    const count = list.convert(found.way.ofBytes, found.count.kind);
    this.#groupStart += count;
    found.count.objects += count;
    return count > 0;
  }

  /** Converts it, or starts to. */
  convert(object: JsonValue): void {
    const place = this.#results.length;
    this.#results.push(undefined);
    // Taken down before the function gets the object, which it may change.
    const name = objectName(object);
    let found: Found | undefined;
    try {
      found = this.#wayOf(object);
      if (typeof found.way === 'string') throw new Error(found.way);
      const result = convertObject(object as JsonObject, found.way, this.#deadline);
      if (isPromise(result)) this.#wait(place, name, found.count, result);
      else this.#keep(place, found.count, result);
    } catch (error) {
      this.#fail(place, name, found?.count, error);
    }
  }

  /** Waits for what has been started, and encodes it. */
  async endGroup(): Promise<void> {
    if (this.#waiting.length > 0) await Promise.all(this.#waiting);
    this.#waiting = [];
    const results = this.#results;
    if (this.#failures.length === 0 && results.length > 0) {
      const encoded = encodeGroup(results as JsonObject[]);
      if (typeof encoded !== 'string')
        for (const { index, error } of encoded)
          this.#fail(index, objectName(results[index]!), this.#last?.count, error);
      else this.#writeGroup(encoded);
    }
    this.#groupStart += results.length;
    this.#results = [];
  }

  answer(): ReviewAnswer {
    const isWhole = this.#failures.length === 0;
    const total = this.#groupStart + this.#results.length;
    const message = isWhole
      ? undefined
      : failureMessage(this.#failures, total, this.#asked.desiredApiVersion);
    const answer = {
      status: 200,
      body: this.#body(message),
      conversions: this.#counts,
      release: () => this.#out.release(),
    };
    return isWhole
      ? { ...answer, outcome: 'converted' }
      : { ...answer, outcome: 'failed', error: this.#failures[0]!.error };
  }

  #body(failure: string | undefined): ReviewAnswer['body'] {
    if (failure !== undefined)
      return `${this.#bodyStart()}${bodyEnd({ status: 'Failure', message: failure })}`;
    this.#out.write(bodyEnd({ status: 'Success' }));
    return [this.#out.answer()];
  }

  #writeGroup(encoded: string): void {
    this.#out.write(this.#before);
    this.#out.write(encoded);
    this.#before = this.#comma;
  }

  #bodyStart(): string {
    const { apiVersion, uid } = this.#asked;
    return `{"kind":"ConversionReview","apiVersion":"${apiVersion}","response":{"uid":${JSON.stringify(uid)},"convertedObjects":[`;
  }

  #wayOf(object: JsonValue): Found {
    const { apiVersion: from, kind } = isJsonObject(object) ? object : {};
    if (typeof from !== 'string' || typeof kind !== 'string')
      throw new Error('it has no apiVersion and kind');
    return this.#found(kind, from);
  }

  #found(kind: string, from: string): Found {
    if (this.#last?.count.from === from && this.#last.count.kind === kind) return this.#last;
    const to = this.#asked.desiredApiVersion;
    const way = this.#findWay(kind, from, to);
    let count = this.#counts.find((known) => known.from === from && known.kind === kind);
    if (count === undefined)
      this.#counts.push(
        (count = { kind, from, to, isKnown: typeof way !== 'string', objects: 0, failures: 0 }),
      );
    this.#last = { count, way };
    return this.#last;
  }

  #wait(place: number, name: ObjectName, count: ConversionCount, result: PromiseLike<JsonObject>): void {
    const settled = Promise.resolve(result).then((object) => this.#keep(place, count, object));
    this.#waiting.push(settled.catch((error: unknown) => this.#fail(place, name, count, error)));
  }

  #keep(place: number, count: ConversionCount, object: JsonObject): void {
    this.#results[place] = object;
    count.objects++;
  }

  #fail(place: number, name: ObjectName, count: ConversionCount | undefined, error: unknown): void {
    this.#failures.push({ index: this.#groupStart + place, ...name, count, error });
    if (count !== undefined) count.failures++;
  }
}

const bodyEnd = (result: object): string => `],"result":${JSON.stringify(result)}}}`;

type ObjectName = Pick<Failure, 'name' | 'namespace'>;

const NAMELESS: ObjectName = { name: undefined, namespace: undefined };

function objectName(object: JsonValue): ObjectName {
  const metadata = isJsonObject(object) ? object['metadata'] : undefined;
  if (!isJsonObject(metadata)) return NAMELESS;
  const { name, namespace } = metadata;
  return {
    name: typeof name === 'string' ? name : undefined,
    namespace: typeof namespace === 'string' ? namespace : undefined,
  };
}
