// Converts one object along the steps of a route.
import type { JsonObject, JsonValue } from '@instar/machinery';
import { type Deadline, isPromise } from '../review/deadline.ts';
import { messageOf } from '../review/status-answer.ts';
import { convertedObject, identityOf, type ObjectIdentity } from './converted-object.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { BytesConverter, ConvertContext } from './definition.ts';
import type { RouteStep } from './routes.ts';

/** Names the step that failed if the route has several. */
class StepError extends Error {
  override readonly name = 'StepError';
}

export interface ConversionRoute {
  readonly group: string;
  readonly steps: readonly RouteStep[];
  /** Pass frozen objects, so that a function that changes its input fails. */
  readonly strict: boolean;
  /** Set if the route is one step for which objects need not be parsed. */
  readonly ofBytes: BytesConverter | undefined;
}

export function convertObject(
  object: JsonObject,
  route: ConversionRoute,
  deadline: Deadline,
): JsonObject | Promise<JsonObject> {
  return runFrom(0, object, identityOf(object), route, deadline);
}

function runFrom(
  index: number,
  object: JsonObject,
  identity: ObjectIdentity,
  route: ConversionRoute,
  deadline: Deadline,
): JsonObject | Promise<JsonObject> {
  let current = object;
  for (let i = index; i < route.steps.length; i++) {
    const step = route.steps[i]!;
    const result = runStep(step, current, route, deadline);
    if (isPromise(result)) return waitForStep(result, i, identity, route, deadline);
    current = finishStep(step, identity, result, route);
  }
  return current;
}

async function waitForStep(
  result: PromiseLike<JsonValue>,
  index: number,
  identity: ObjectIdentity,
  route: ConversionRoute,
  deadline: Deadline,
): Promise<JsonObject> {
  const step = route.steps[index]!;
  const value = await Promise.resolve(result).catch((error: unknown) => fail(step, route, error));
  return runFrom(index + 1, finishStep(step, identity, value, route), identity, route, deadline);
}

function runStep(
  step: RouteStep,
  object: JsonObject,
  { strict, ...route }: ConversionRoute,
  deadline: Deadline,
): JsonObject | Promise<JsonObject> {
  try {
    return step.run(strict ? deepFreeze(object) : object, new StepContext(step, deadline));
  } catch (error) {
    return fail(step, route, error);
  }
}

function finishStep(
  step: RouteStep,
  identity: ObjectIdentity,
  result: JsonValue,
  route: ConversionRoute,
): JsonObject {
  try {
    return convertedObject(identity, `${route.group}/${step.from}`, `${route.group}/${step.to}`, result);
  } catch (error) {
    return fail(step, route, error);
  }
}

function fail({ from, to }: RouteStep, { steps }: Pick<ConversionRoute, 'steps'>, error: unknown): never {
  throw new StepError(`${steps.length > 1 ? `at the step from ${from} to ${to}: ` : ''}${messageOf(error)}`, {
    cause: error,
  });
}

class StepContext implements ConvertContext {
  readonly from: string;
  readonly to: string;
  readonly #deadline: Deadline;

  constructor({ from, to }: RouteStep, deadline: Deadline) {
    this.from = from;
    this.to = to;
    this.#deadline = deadline;
  }

  get signal(): AbortSignal {
    return this.#deadline.signal;
  }
}
