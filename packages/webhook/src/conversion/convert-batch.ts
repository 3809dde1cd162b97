// All objects of one review, in order. Gives other work a turn every few milliseconds, and lets functions that wait do so side by side.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { encodeJson, isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { type Deadline, isPromise } from '../review/deadline.ts';
import type { ConversionCount, ReviewAnswer } from '../review/webhook.ts';
import { convertObject, type Way } from './convert-object.ts';
import { type Failure, failureMessage } from './failure-message.ts';
import type { ConversionAsked } from './read-request.ts';

/** The way from one apiVersion of a kind to another; a sentence if there is none. */
export type FindWay = (kind: string, fromApiVersion: string, toApiVersion: string) => Way | string;

/** The longest that one review keeps the process from everything else. */
const TURN_MS = 5;
const MAX_WAITING = 64;

export async function convertBatch(asked: ConversionAsked, findWay: FindWay, deadline: Deadline): Promise<ReviewAnswer> {
  const batch = new Batch(asked, findWay, deadline);
  let turnEnds = performance.now() + TURN_MS;
  for (let index = 0; index < asked.objects.length && !deadline.isOver; index++) {
    const waiting = batch.convert(index);
    if (waiting >= MAX_WAITING) await batch.settled();
    if (performance.now() < turnEnds) continue;
    await nextTurn();
    turnEnds = performance.now() + TURN_MS;
  }
  await batch.settled();
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
  readonly #texts: string[];
  readonly #failures: Failure[] = [];
  readonly #counts: ConversionCount[] = [];
  #waiting: Promise<void>[] = [];
  /** Of the object before: nearly always it serves the next one, too. */
  #last: Found | undefined;

  constructor(asked: ConversionAsked, findWay: FindWay, deadline: Deadline) {
    this.#asked = asked;
    this.#findWay = findWay;
    this.#deadline = deadline;
    this.#texts = new Array<string>(asked.objects.length);
  }

  /** Converts it, or starts to. Returns how many are waited for. */
  convert(index: number): number {
    let subject: Failure = { index, error: undefined };
    try {
      const object = this.#asked.objects.at(index);
      subject = { index, ...nameOf(object), error: undefined };
      const { way, count } = this.#wayOf(object);
      subject = { ...subject, count };
      if (typeof way === 'string') throw new Error(way);
      const result = convertObject(object as JsonObject, way, this.#deadline);
      if (isPromise(result)) this.#wait(subject, count, result);
      else this.#keep(index, count, result);
    } catch (error) {
      this.#fail(subject, error);
    }
    return this.#waiting.length;
  }

  async settled(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length > 0) await Promise.all(waiting);
  }

  answer(): ReviewAnswer {
    const { apiVersion, uid, objects, desiredApiVersion } = this.#asked;
    const isWhole = this.#failures.length === 0;
    const result = isWhole
      ? { status: 'Success' }
      : { status: 'Failure', message: failureMessage(this.#failures, objects.length, desiredApiVersion) };
    const converted = isWhole ? this.#texts.join(',') : '';
    const response = `{"uid":${JSON.stringify(uid)},"convertedObjects":[${converted}],"result":${JSON.stringify(result)}}`;
    const body = `{"kind":"ConversionReview","apiVersion":"${apiVersion}","response":${response}}`;
    const answer = { status: 200, body, conversions: this.#counts };
    return isWhole ? { ...answer, outcome: 'converted' } : { ...answer, outcome: 'failed', error: this.#failures[0]!.error };
  }

  #wayOf(object: JsonValue): Found {
    const { apiVersion: from, kind } = isJsonObject(object) ? object : {};
    if (typeof from !== 'string' || typeof kind !== 'string') throw new Error('it has no apiVersion and kind');
    if (this.#last?.count.from === from && this.#last.count.kind === kind) return this.#last;
    const to = this.#asked.desiredApiVersion;
    let count = this.#counts.find((known) => known.from === from && known.kind === kind);
    if (count === undefined) this.#counts.push((count = { kind, from, to, objects: 0, failures: 0 }));
    this.#last = { count, way: this.#findWay(kind, from, to) };
    return this.#last;
  }

  #wait(subject: Failure, count: ConversionCount, result: PromiseLike<JsonObject>): void {
    const settled = Promise.resolve(result).then((object) => this.#keep(subject.index, count, object));
    this.#waiting.push(settled.catch((error: unknown) => this.#fail(subject, error)));
  }

  #keep(index: number, count: ConversionCount, object: JsonObject): void {
    this.#texts[index] = encodeJson(object);
    count.objects++;
  }

  #fail(subject: Failure, error: unknown): void {
    this.#failures.push({ ...subject, error });
    if (subject.count !== undefined) subject.count.failures++;
  }
}

/** Taken down before a function gets the object, which it may change. */
function nameOf(object: JsonValue): Pick<Failure, 'name' | 'namespace'> {
  const metadata = isJsonObject(object) ? object['metadata'] : undefined;
  if (!isJsonObject(metadata)) return {};
  const { name, namespace } = metadata;
  return { name: typeof name === 'string' ? name : undefined, namespace: typeof namespace === 'string' ? namespace : undefined };
}
