// Objects in the versions of their owners. The logic requests a conversion by yielding it and is driven from
// outside: synchronously if conversion is a function, asynchronously if it is a webhook. Most writes need
// none.
import type { JsonObject } from '@instar/machinery';
import type { MergeType } from '../typed/merge-type.ts';

/** The versions that owners of fields may have. */
export interface OwnerVersions {
  /** How objects of a version merge; undefined if the version does not exist (any longer). */
  typeOf(apiVersion: string): MergeType | undefined;
  /**
   * With it, an apply to an object that has an owner in a version that does not exist fails with this, and
   * other writes clear its managedFields. Without it, such owners are dropped.
   */
  refuseRemoved?(apiVersion: string): Error;
}

/** Objects to be converted to a version: together, since a webhook converts two in one call. */
interface ConversionRequest {
  readonly objects: readonly JsonObject[];
  readonly apiVersion: string;
}

/** Yielded between two steps, where other work may be done if the object is large. */
const PAUSE = undefined;

/** A computation that may need conversions. */
export type Converting<T> = Generator<ConversionRequest | typeof PAUSE, T, readonly JsonObject[]>;

/** Says when a computation has taken so long that other work should be done. */
export interface Pauses {
  readonly isOver: boolean;
  /** Resolves when other work has been done. */
  yieldIfOver(): Promise<void>;
}

export function* pause(): Converting<void> {
  yield PAUSE;
}

export type ConvertSync = (object: JsonObject, apiVersion: string) => JsonObject;
/** Returns the objects in their order. */
export type ConvertAsync = (
  objects: readonly JsonObject[],
  apiVersion: string,
) => Promise<readonly JsonObject[]>;

export function* inVersion(object: JsonObject, apiVersion: string): Converting<JsonObject> {
  const [converted] = yield* allInVersion([object], apiVersion);
  return converted!;
}

export function* allInVersion(
  objects: readonly JsonObject[],
  apiVersion: string,
): Converting<readonly JsonObject[]> {
  const ready = objects.map((object) => withoutConversion(object, apiVersion));
  const waiting = objects.filter((_, index) => ready[index] === undefined);
  if (waiting.length === 0) return ready as JsonObject[];
  const converted = (yield { objects: waiting, apiVersion }).values();
  return ready.map((object) => object ?? (converted.next().value as JsonObject));
}

function withoutConversion(object: JsonObject, apiVersion: string): JsonObject | undefined {
  if (object['apiVersion'] === apiVersion) return object;
  // The state before a create is empty: there is nothing to convert, and a converter could not know its kind.
  return Object.hasOwn(object, 'metadata') ? undefined : relabel(object, apiVersion);
}

/** The conversion of kinds whose versions differ in their name only. */
export const relabel: ConvertSync = (object, apiVersion) => ({ ...object, apiVersion });

export function runSync<T>(steps: Converting<T>, convert: ConvertSync): T {
  let step = steps.next();
  while (!step.done) step = answered(steps, step.value, convert);
  return step.value;
}

/** Synchronous until a pause is due, which it is for large objects only. */
export function runPausing<T>(steps: Converting<T>, convert: ConvertSync, pauses: Pauses): T | Promise<T> {
  let step = steps.next();
  while (!step.done) {
    if (step.value === PAUSE && pauses.isOver) return resumed(steps, convert, pauses);
    step = answered(steps, step.value, convert);
  }
  return step.value;
}

async function resumed<T>(steps: Converting<T>, convert: ConvertSync, pauses: Pauses): Promise<T> {
  for (;;) {
    await pauses.yieldIfOver();
    let step = steps.next([]);
    while (!step.done && step.value !== PAUSE) step = answered(steps, step.value, convert);
    if (step.done) return step.value;
  }
}

function answered<T>(
  steps: Converting<T>,
  request: ConversionRequest | typeof PAUSE,
  convert: ConvertSync,
): IteratorResult<ConversionRequest | typeof PAUSE, T> {
  if (request === PAUSE) return steps.next([]);
  const { objects, apiVersion } = request;
  return attempt(steps, () => objects.map((object) => convert(object, apiVersion)));
}

function attempt<T>(
  steps: Converting<T>,
  convert: () => readonly JsonObject[],
): IteratorResult<ConversionRequest | typeof PAUSE, T> {
  let converted: readonly JsonObject[];
  try {
    converted = convert();
  } catch (error) {
    return steps.throw(error);
  }
  return steps.next(converted);
}

export async function runAsync<T>(steps: Converting<T>, convert: ConvertAsync, pauses?: Pauses): Promise<T> {
  let step = steps.next();
  while (!step.done) {
    if (step.value === PAUSE) {
      if (pauses?.isOver) await pauses.yieldIfOver();
      step = steps.next([]);
      continue;
    }
    const { objects, apiVersion } = step.value;
    let converted: readonly JsonObject[];
    try {
      converted = await convert(objects, apiVersion);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(converted);
  }
  return step.value;
}
