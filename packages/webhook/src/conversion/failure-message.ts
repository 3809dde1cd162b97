// The failures of a review as one message, for the user of the API server: names the objects, up to a limit.
import { messageOf } from '../review/status-answer.ts';
import type { ConversionCount } from '../review/webhook.ts';

export interface ConversionFailure {
  /** In the list of the review. */
  readonly index: number;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly count: ConversionCount | undefined;
  readonly error: unknown;
}

const MAX_NAMED = 10;
const MAX_MESSAGE_CHARS = 500;

/** Counts the failures of a review and keeps those that are named, so that millions of them cost nothing. */
export class ConversionFailures {
  #count = 0;
  /** The first in the order of the review, which is not the order in which they happen. */
  readonly #named: ConversionFailure[] = [];

  get count(): number {
    return this.#count;
  }

  get first(): ConversionFailure | undefined {
    return this.#named[0];
  }

  add(failure: ConversionFailure): void {
    this.#count++;
    if (this.#named.length === MAX_NAMED && failure.index > this.#named.at(-1)!.index) return;
    this.#named.push(failure);
    this.#named.sort((a, b) => a.index - b.index);
    this.#named.length = Math.min(this.#named.length, MAX_NAMED);
  }

  message(total: number, to: string): string {
    const named = this.#named.map(
      (failure) => `${subjectText(failure, to)}: ${shortened(messageOf(failure.error))}`,
    );
    if (total === 1) return named[0]!;
    const more = this.#count > MAX_NAMED ? `; and ${this.#count - MAX_NAMED} more` : '';
    return `${this.#count} of ${total} objects could not be converted: ${named.join('; ')}${more}`;
  }
}

function subjectText({ index, name, namespace, count }: ConversionFailure, to: string): string {
  if (count === undefined) return `the object at index ${index}${name === undefined ? '' : ` (${name})`}`;
  const who =
    name === undefined ? `at index ${index}` : namespace === undefined ? name : `${namespace}/${name}`;
  return `${count.kind} ${who} from ${count.from} to ${to}`;
}

const shortened = (text: string): string =>
  text.length > MAX_MESSAGE_CHARS ? `${text.slice(0, MAX_MESSAGE_CHARS)}…` : text;
