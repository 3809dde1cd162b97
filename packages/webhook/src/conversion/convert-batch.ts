// All objects of one review, in order and in groups. Gives other work a turn every few milliseconds, and lets functions that wait do so side by side.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { type Deadline, isPromise } from '../review/deadline.ts';
import type { ConversionCount, ReviewAnswer } from '../review/webhook.ts';
import { convertObject, type Way } from './convert-object.ts';
import { encodeGroup } from './encode-group.ts';
import { type Failure, failureMessage } from './failure-message.ts';
import type { ConversionAsked } from './read-request.ts';

/** The way from one apiVersion of a kind to another; a sentence if there is none. */
export type FindWay = (kind: string, fromApiVersion: string, toApiVersion: string) => Way | string;

/** The longest that one review keeps the process from everything else. */
const TURN_MS = 5;

/** Throws a CutError if the review cannot be read in groups. */
export async function convertBatch(asked: ConversionAsked, findWay: FindWay, deadline: Deadline): Promise<ReviewAnswer> {
  const batch = new Batch(asked, findWay, deadline);
  let turnEnds = performance.now() + TURN_MS;
  for (const group of asked.groups) {
    for (const object of group) {
      batch.convert(object);
      if (performance.now() < turnEnds) continue;
      await nextTurn();
      if (deadline.isOver) return batch.answer();
      turnEnds = performance.now() + TURN_MS;
    }
    if (batch.isWaiting) await batch.settled();
    batch.encodeGroup();
  }
  return batch.answer();
}

interface Found {
  readonly count: ConversionCount;
  readonly way: Way | string;
}

class Batch {
  readonly #asked: ConversionAsked;
  readonly #findWay: FindWay;
  readonly #deadline: Deadline;
  readonly #texts: string[] = [];
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

  /** Converts it, or starts to. */
  convert(object: JsonValue): void {
    const place = this.#results.length;
    this.#results.push(undefined);
    // Taken down before the function gets the object, which it may change.
    const name = nameOf(object);
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

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  async settled(): Promise<void> {
    await Promise.all(this.#waiting);
    this.#waiting = [];
  }

  encodeGroup(): void {
    const results = this.#results;
    if (this.#failures.length === 0 && results.length > 0) {
      const encoded = encodeGroup(results as JsonObject[]);
      if (typeof encoded === 'string') this.#texts.push(encoded);
      else for (const { index, error } of encoded) this.#fail(index, nameOf(results[index]!), this.#last?.count, error);
    }
    this.#groupStart += results.length;
    this.#results = [];
  }

  answer(): ReviewAnswer {
    const isWhole = this.#failures.length === 0;
    const total = this.#groupStart + this.#results.length;
    const message = isWhole ? undefined : failureMessage(this.#failures, total, this.#asked.desiredApiVersion);
    const answer = { status: 200, body: this.#body(message), conversions: this.#counts };
    return isWhole ? { ...answer, outcome: 'converted' } : { ...answer, outcome: 'failed', error: this.#failures[0]!.error };
  }

  /** In pieces: one long string would have to be put together first. */
  #body(failure: string | undefined): readonly string[] {
    const { apiVersion, uid } = this.#asked;
    const result = JSON.stringify(failure === undefined ? { status: 'Success' } : { status: 'Failure', message: failure });
    const pieces = [
      `{"kind":"ConversionReview","apiVersion":"${apiVersion}","response":{"uid":${JSON.stringify(uid)},"convertedObjects":[`,
    ];
    if (failure === undefined) for (const [index, text] of this.#texts.entries()) pieces.push(index === 0 ? text : `,${text}`);
    pieces.push(`],"result":${result}}}`);
    return pieces;
  }

  #wayOf(object: JsonValue): Found {
    const { apiVersion: from, kind } = isJsonObject(object) ? object : {};
    if (typeof from !== 'string' || typeof kind !== 'string') throw new Error('it has no apiVersion and kind');
    if (this.#last?.count.from === from && this.#last.count.kind === kind) return this.#last;
    const to = this.#asked.desiredApiVersion;
    const way = this.#findWay(kind, from, to);
    let count = this.#counts.find((known) => known.from === from && known.kind === kind);
    if (count === undefined) this.#counts.push((count = { kind, from, to, isKnown: typeof way !== 'string', objects: 0, failures: 0 }));
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

type ObjectName = Pick<Failure, 'name' | 'namespace'>;

const NAMELESS: ObjectName = { name: undefined, namespace: undefined };

function nameOf(object: JsonValue): ObjectName {
  const metadata = isJsonObject(object) ? object['metadata'] : undefined;
  if (!isJsonObject(metadata)) return NAMELESS;
  const { name, namespace } = metadata;
  return { name: typeof name === 'string' ? name : undefined, namespace: typeof namespace === 'string' ? namespace : undefined };
}
