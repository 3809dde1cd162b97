// Conversions as a webhook: reads the ConversionReview, converts its objects one by one, encodes the answer.
// Independent of HTTP.
import type { JsonObject } from '@instar/machinery';
import { Deadline, TIMED_OUT } from '../review/deadline.ts';
import { functionFailed, malformed, timedOut } from '../review/status-answer.ts';
import type { ReviewAnswer, Webhook } from '../review/webhook.ts';
import { convertBatch, type FindRoute } from './convert-batch.ts';
import { CutError } from './cut-objects.ts';
import type { ConversionDefinition } from './definition.ts';
import { routeFinder } from './find-route.ts';
import { type ReadOptions, readConversionRequest } from './read-request.ts';
import { TimeSlices } from './time-slices.ts';

/** Options of a conversion webhook. */
export interface ConversionOptions {
  /** For tests: functions get frozen objects, so that one that changes its input fails. */
  readonly strict?: boolean;
}

/** Throws immediately if a version has no route to another. */
export function conversion<V = Record<string, JsonObject>>(
  definitions: ConversionDefinition<V> | readonly ConversionDefinition<V>[],
  options: ConversionOptions = {},
): Webhook {
  const all = (Array.isArray(definitions) ? definitions : [definitions]) as readonly ConversionDefinition[];
  const strict = options.strict ?? false;
  const findRoute = routeFinder(all, strict);
  const asBytes = !strict && all.some(({ lens }) => lens?.ofBytes !== undefined);
  return {
    review: 'ConversionReview',
    async answer(body, call = {}) {
      const deadline = new Deadline(call);
      try {
        const answer = await deadline.race(
          answerBody(body, findRoute, deadline, { whole: false, asBytes, memory: call.memory }),
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
  findRoute: FindRoute,
  deadline: Deadline,
  options: ReadOptions,
): Promise<ReviewAnswer> {
  const slices = new TimeSlices(deadline);
  const received = await readConversionRequest(body, options, () => slices.nextIfOver());
  if ('fault' in received) return malformed(received.fault);
  try {
    return await convertBatch(received, findRoute, deadline, options.memory);
  } catch (error) {
    if (error instanceof CutError) return answerBody(body, findRoute, deadline, { ...options, whole: true });
    throw error;
  }
}
