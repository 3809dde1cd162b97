// Converts all objects of one review, in order and in groups. Yields to other work every few milliseconds;
// asynchronous functions of a group run concurrently.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import type { SpareMemory } from '@instar/serving';
import { type Deadline, isPromise } from '../review/deadline.ts';
import type { ConversionCount, ReviewAnswer } from '../review/webhook.ts';
import { AnswerText } from './answer-text.ts';
import type { BytesList } from './bytes-list.ts';
import { type ConversionRoute, convertObject } from './convert-object.ts';
import { encodeGroup } from './encode-group.ts';
import { type ConversionFailure, ConversionFailures } from './failure-message.ts';
import type { ReceivedConversion } from './read-request.ts';
import { TimeSlices } from './time-slices.ts';

/** The route from one apiVersion of a kind to another, or why there is none. */
export type FindRoute = (
  kind: string,
  fromApiVersion: string,
  toApiVersion: string,
) => ConversionRoute | string;

/** Throws a CutError if the review cannot be read in parts. `memory` is for the answer. */
export async function convertBatch(
  received: ReceivedConversion,
  findRoute: FindRoute,
  deadline: Deadline,
  memory: SpareMemory | undefined,
): Promise<ReviewAnswer> {
  const batch = new Batch(received, findRoute, deadline);
  // If the first object has to be parsed, others probably do too, and parsing in groups is faster.
  if (received.list !== undefined && batch.tryBytes(received.list))
    await convertRest(batch, received.list, new TimeSlices(deadline));
  else {
    received.list?.release();
    batch.beginText(new AnswerText(received.length + EXTRA_BYTES, memory));
    await convertGroups(batch, received.groups, new TimeSlices(deadline));
  }
  return batch.answer();
}

/** The answer is expected to be at most this much longer than the review. */
const EXTRA_BYTES = 4096;

/** Converts the rest of a list whose first objects have been converted. */
async function convertRest(batch: Batch, list: BytesList, slices: TimeSlices): Promise<void> {
  while (list.next()) {
    if (!batch.convertBytes(list)) {
      batch.convert(list.parsed());
      await batch.endGroup();
    }
    if (slices.isOver && !(await slices.next())) return;
  }
}

async function convertGroups(
  batch: Batch,
  groups: ReceivedConversion['groups'],
  slices: TimeSlices,
): Promise<void> {
  for (const group of groups) {
    for (const object of group) {
      batch.convert(object);
      if (slices.isOver && !(await slices.next())) return;
    }
    await batch.endGroup();
  }
}

/** The answer in progress: bytes spliced from the review, or text. */
interface AnswerWriter {
  write(text: string): void;
  answer(): Uint8Array;
  release(): void;
}

interface Found {
  readonly count: ConversionCount;
  readonly route: ConversionRoute | string;
  /** If there is no route. Made once: a million errors with their stack traces take seconds. */
  readonly error: Error | undefined;
}

class Batch {
  readonly #received: ReceivedConversion;
  readonly #findRoute: FindRoute;
  readonly #deadline: Deadline;
  #out!: AnswerWriter;
  /** Written between groups. A BytesList writes its own commas. */
  #comma = '';
  #before = '';
  readonly #failures = new ConversionFailures();
  readonly #counts: ConversionCount[] = [];
  /** Of the group, in order; a failure leaves a gap. */
  #results: (JsonObject | undefined)[] = [];
  #groupStart = 0;
  #waiting: Promise<void>[] = [];
  /** Of the object before: the next one nearly always has the same route. */
  #last: Found | undefined;
  readonly #untyped = new Error('it has no apiVersion and kind');

  constructor(received: ReceivedConversion, findRoute: FindRoute, deadline: Deadline) {
    this.#received = received;
    this.#findRoute = findRoute;
    this.#deadline = deadline;
  }

  /** Begins an answer of bytes with the first objects of the list; false if the first has to be parsed. */
  tryBytes(list: BytesList): boolean {
    list.write(this.#bodyStart());
    if (!this.convertBytes(list)) return false;
    this.#out = list;
    return true;
  }

  /** Begins an answer for objects that are parsed. */
  beginText(text: AnswerText): void {
    this.#out = text;
    this.#comma = ',';
    text.write(this.#bodyStart());
  }

  /** Converts the next objects of the list without parsing them; false if the next has to be parsed. */
  convertBytes(list: BytesList): boolean {
    const head = list.head();
    const found = head === undefined ? undefined : this.#found(head.kind, head.apiVersion);
    if (found === undefined || typeof found.route === 'string' || found.route.ofBytes === undefined)
      return false;
    const count = list.convert(found.route.ofBytes, found.count.kind);
    this.#groupStart += count;
    found.count.objects += count;
    return count > 0;
  }

  /** Converts the object, or starts to. */
  convert(object: JsonValue): void {
    const index = this.#results.length;
    this.#results.push(undefined);
    // Read before the function gets the object, which it may change.
    const name = objectName(object);
    const found = this.#routeOf(object);
    if (found === undefined || found.error !== undefined) {
      this.#fail(index, name, found?.count, found?.error ?? this.#untyped);
      return;
    }
    try {
      const result = convertObject(object as JsonObject, found.route as ConversionRoute, this.#deadline);
      if (isPromise(result)) this.#wait(index, name, found.count, result);
      else this.#keep(index, found.count, result);
    } catch (error) {
      this.#fail(index, name, found.count, error);
    }
  }

  /** Waits for the conversions of the group, and encodes their results. */
  async endGroup(): Promise<void> {
    if (this.#waiting.length > 0) await Promise.all(this.#waiting);
    this.#waiting = [];
    const results = this.#results;
    if (this.#failures.count === 0 && results.length > 0) {
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
    const { first } = this.#failures;
    const total = this.#groupStart + this.#results.length;
    const message = first && this.#failures.message(total, this.#received.desiredApiVersion);
    const answer = {
      status: 200,
      body: this.#body(message),
      conversions: this.#counts,
      release: () => this.#out.release(),
    };
    return first === undefined
      ? { ...answer, outcome: 'converted' }
      : { ...answer, outcome: 'failed', error: first.error };
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
    const { apiVersion, uid } = this.#received;
    return `{"kind":"ConversionReview","apiVersion":"${apiVersion}","response":{"uid":${JSON.stringify(uid)},"convertedObjects":[`;
  }

  /** Undefined if the object does not say what it is. */
  #routeOf(object: JsonValue): Found | undefined {
    if (!isJsonObject(object)) return undefined;
    const { apiVersion: from, kind } = object;
    return typeof from === 'string' && typeof kind === 'string' ? this.#found(kind, from) : undefined;
  }

  #found(kind: string, from: string): Found {
    if (this.#last?.count.from === from && this.#last.count.kind === kind) return this.#last;
    const to = this.#received.desiredApiVersion;
    const route = this.#findRoute(kind, from, to);
    let count = this.#counts.find((known) => known.from === from && known.kind === kind);
    if (count === undefined)
      this.#counts.push(
        (count = { kind, from, to, isKnown: typeof route !== 'string', objects: 0, failures: 0 }),
      );
    this.#last = { count, route, error: typeof route === 'string' ? new Error(route) : undefined };
    return this.#last;
  }

  #wait(index: number, name: ObjectName, count: ConversionCount, result: PromiseLike<JsonObject>): void {
    const settled = Promise.resolve(result).then((object) => this.#keep(index, count, object));
    this.#waiting.push(settled.catch((error: unknown) => this.#fail(index, name, count, error)));
  }

  #keep(index: number, count: ConversionCount, object: JsonObject): void {
    this.#results[index] = object;
    count.objects++;
  }

  #fail(index: number, name: ObjectName, count: ConversionCount | undefined, error: unknown): void {
    this.#failures.add({ index: this.#groupStart + index, ...name, count, error });
    if (count !== undefined) count.failures++;
  }
}

const bodyEnd = (result: object): string => `],"result":${JSON.stringify(result)}}}`;

type ObjectName = Pick<ConversionFailure, 'name' | 'namespace'>;

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
