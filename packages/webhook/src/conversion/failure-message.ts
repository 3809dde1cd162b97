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

export function failureMessage(failures: readonly ConversionFailure[], total: number, to: string): string {
  const inOrder = [...failures].sort((a, b) => a.index - b.index);
  const named = inOrder
    .slice(0, MAX_NAMED)
    .map((failure) => `${subjectText(failure, to)}: ${shortened(messageOf(failure.error))}`);
  if (total === 1) return named[0]!;
  const more = failures.length > MAX_NAMED ? `; and ${failures.length - MAX_NAMED} more` : '';
  return `${failures.length} of ${total} objects could not be converted: ${named.join('; ')}${more}`;
}

function subjectText({ index, name, namespace, count }: ConversionFailure, to: string): string {
  if (count === undefined) return `the object at index ${index}${name === undefined ? '' : ` (${name})`}`;
  const who =
    name === undefined ? `at index ${index}` : namespace === undefined ? name : `${namespace}/${name}`;
  return `${count.kind} ${who} from ${count.from} to ${to}`;
}

const shortened = (text: string): string =>
  text.length > MAX_MESSAGE_CHARS ? `${text.slice(0, MAX_MESSAGE_CHARS)}…` : text;
