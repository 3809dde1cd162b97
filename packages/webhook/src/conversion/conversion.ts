// Conversions as a webhook: reads the ConversionReview, converts its objects one by one, writes the answer.
// Knows no HTTP.
import type { JsonObject } from '@instar/machinery';
import { Deadline, TIMED_OUT } from '../review/deadline.ts';
import { functionFailed, malformed, timedOut } from '../review/status-answer.ts';
import type { ReviewAnswer, Webhook } from '../review/webhook.ts';
import { convertBatch, type FindWay } from './convert-batch.ts';
import { CutError } from './cut-objects.ts';
import type { ConversionDefinition } from './definition.ts';
import { wayFinder } from './find-way.ts';
import { type ReadOptions, readConversionRequest } from './read-request.ts';

export interface ConversionOptions {
  /** For tests: functions get frozen objects, so that one that changes its input fails. */
  readonly strict?: boolean;
}

/** Throws, when it is made, if a version cannot be reached from another. */
export function conversion<V = Record<string, JsonObject>>(
  definitions: ConversionDefinition<V> | readonly ConversionDefinition<V>[],
  options: ConversionOptions = {},
): Webhook {
  const all = (Array.isArray(definitions) ? definitions : [definitions]) as readonly ConversionDefinition[];
  const strict = options.strict ?? false;
  const findWay = wayFinder(all, strict);
  const asBytes = !strict && all.some(({ lens }) => lens?.ofBytes !== undefined);
  return {
    review: 'ConversionReview',
    async answer(body, call = {}) {
      const deadline = new Deadline(call);
      try {
        const answer = await deadline.race(
          answerBody(body, findWay, deadline, { whole: false, asBytes, memory: call.memory }),
        );
        return answer === TIMED_OUT ? timedOut('the conversion', deadline.timeoutMs!) : answer;
      } catch (error) {
        return functionFailed('the conversion', error);
      }
    },
  };
}

async function answerBody(
  body: Uint8Array,
  findWay: FindWay,
  deadline: Deadline,
  options: ReadOptions,
): Promise<ReviewAnswer> {
  const asked = readConversionRequest(body, options);
  if ('fault' in asked) return malformed(asked.fault);
  try {
    return await convertBatch(asked, findWay, deadline, options.memory);
  } catch (error) {
    if (error instanceof CutError) return answerBody(body, findWay, deadline, { ...options, whole: true });
    throw error;
  }
}
