// A commit with a condition on the key that it changes can happen only once, however often it is sent. So if
// etcd does not answer one (after the death of a leader it does not for 7 seconds), it is sent again through
// another member, and the two answers are combined.
import { type Commit, StoreError } from '../../store.ts';
import type { TxnResponse } from './messages/kv.ts';

export const happensOnce = ({ conditions, operations }: Commit): boolean =>
  operations.length === 1 && conditions.some(({ key }) => key === operations[0]!.key);

type Answer = TxnResponse | StoreError;

/**
 * `first` is in flight; `again` sends the same. `value` is the key's value once it has happened; undefined
 * for a deletion.
 */
export async function hedgedTxn(
  first: Promise<TxnResponse>,
  again: () => Promise<TxnResponse>,
  value: Uint8Array | undefined,
  hedgeAfterMs: number,
): Promise<TxnResponse> {
  const firstAnswer = answerOf(first);
  const early = await within(firstAnswer, hedgeAfterMs);
  if (early !== undefined) return unwrap(early);
  const secondAnswer = answerOf(again());
  return decide(firstAnswer, secondAnswer, value);
}

async function decide(
  first: Promise<Answer>,
  second: Promise<Answer>,
  value: Uint8Array | undefined,
): Promise<TxnResponse> {
  const one = await Promise.race([first, second]);
  const alone = happened(one, value);
  if (alone !== undefined) return alone;
  const answers = await Promise.all([first, second]);
  for (const answer of answers) {
    const known = happened(answer, value);
    if (known !== undefined) return known;
  }
  // Both were refused: it has not happened. If one has no answer, that may be the one that has.
  const unknown = answers.find((answer) => answer instanceof StoreError);
  return unwrap(unknown ?? answers.find((answer) => answer !== one) ?? one);
}

/**
 * The answer of a commit that has happened, if this one shows it. A refusal shows it too, if the current
 * value is the one to be written.
 */
function happened(answer: Answer, value: Uint8Array | undefined): TxnResponse | undefined {
  if (answer instanceof StoreError) return undefined;
  if (answer.succeeded) return answer;
  const current = answer.ranges.flatMap(({ entries }) => entries);
  const own = value && current.find((entry) => Buffer.compare(entry.value, value) === 0);
  return own && { revision: own.modRevision, succeeded: true, ranges: [] };
}

function answerOf(call: Promise<TxnResponse>): Promise<Answer> {
  return call.catch((error: unknown) => {
    if (error instanceof StoreError) return error;
    throw error;
  });
}

function unwrap(answer: Answer): TxnResponse {
  if (answer instanceof StoreError) throw answer;
  return answer;
}

async function within<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
