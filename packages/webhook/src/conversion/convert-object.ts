// One object through the steps from its version to another.
import type { JsonObject, JsonValue } from '@instar/machinery';
import { type Deadline, isPromise } from '../review/deadline.ts';
import { messageOf } from '../review/status-answer.ts';
import { convertedObject, type Identity, identityOf } from './converted-object.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { BytesConverter, ConvertContext } from './definition.ts';
import type { Step } from './steps.ts';

/** Says which step failed, if there were several. */
export class StepError extends Error {
  override readonly name = 'StepError';
}

export interface Way {
  readonly group: string;
  readonly steps: readonly Step[];
  /** Hands out frozen objects, so that a function that changes its input is found out. */
  readonly strict: boolean;
  /** If it is one step, for which objects need not be parsed. */
  readonly ofBytes: BytesConverter | undefined;
}

export function convertObject(
  object: JsonObject,
  way: Way,
  deadline: Deadline,
): JsonObject | Promise<JsonObject> {
  return runFrom(0, object, identityOf(object), way, deadline);
}

function runFrom(
  index: number,
  object: JsonObject,
  identity: Identity,
  way: Way,
  deadline: Deadline,
): JsonObject | Promise<JsonObject> {
  let current = object;
  for (let i = index; i < way.steps.length; i++) {
    const step = way.steps[i]!;
    const result = runStep(step, current, way, deadline);
    if (isPromise(result)) return waitForStep(result, i, identity, way, deadline);
    current = finishStep(step, identity, result, way);
  }
  return current;
}

async function waitForStep(
  result: PromiseLike<JsonValue>,
  index: number,
  identity: Identity,
  way: Way,
  deadline: Deadline,
): Promise<JsonObject> {
  const step = way.steps[index]!;
  const value = await Promise.resolve(result).catch((error: unknown) => fail(step, way, error));
  return runFrom(index + 1, finishStep(step, identity, value, way), identity, way, deadline);
}

function runStep(
  step: Step,
  object: JsonObject,
  { strict, ...way }: Way,
  deadline: Deadline,
): JsonObject | Promise<JsonObject> {
  try {
    return step.run(strict ? deepFreeze(object) : object, new StepContext(step, deadline));
  } catch (error) {
    return fail(step, way, error);
  }
}

function finishStep(step: Step, identity: Identity, result: JsonValue, way: Way): JsonObject {
  try {
    return convertedObject(identity, `${way.group}/${step.from}`, `${way.group}/${step.to}`, result);
  } catch (error) {
    return fail(step, way, error);
  }
}

function fail({ from, to }: Step, { steps }: Pick<Way, 'steps'>, error: unknown): never {
  throw new StepError(`${steps.length > 1 ? `at the step from ${from} to ${to}: ` : ''}${messageOf(error)}`, {
    cause: error,
  });
}

class StepContext implements ConvertContext {
  readonly from: string;
  readonly to: string;
  readonly #deadline: Deadline;

  constructor({ from, to }: Step, deadline: Deadline) {
    this.from = from;
    this.to = to;
    this.#deadline = deadline;
  }

  get signal(): AbortSignal {
    return this.#deadline.signal;
  }
}
