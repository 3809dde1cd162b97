// Objects in the versions of their owners. The logic asks for a conversion by yielding it and is driven from
// outside: at once where conversion is a plain function, or waiting where it is a webhook. Most writes ask
// for none.
import type { JsonObject } from '@instar/machinery';
import type { MergeType } from '../typed/merge-type.ts';

export interface Versions {
  /** How objects of a version merge; undefined if there is no such version (any more). */
  typeOf(apiVersion: string): MergeType | undefined;
}

export interface ConversionRequest {
  readonly object: JsonObject;
  readonly apiVersion: string;
}

/** A computation that may need conversions on its way. */
export type Converting<T> = Generator<ConversionRequest, T, JsonObject>;

export type Convert = (object: JsonObject, apiVersion: string) => JsonObject;
export type ConvertAsync = (object: JsonObject, apiVersion: string) => Promise<JsonObject> | JsonObject;

export function* inVersion(object: JsonObject, apiVersion: string): Converting<JsonObject> {
  if (object['apiVersion'] === apiVersion) return object;
  // The state before a create is nothing: there is nothing to convert in it, and a converter could not tell
  // what it is.
  if (!Object.hasOwn(object, 'metadata')) return relabel(object, apiVersion);
  return yield { object, apiVersion };
}

/** The conversion of kinds whose versions differ in nothing but their name. */
export const relabel: Convert = (object, apiVersion) => ({ ...object, apiVersion });

export function runSync<T>(steps: Converting<T>, convert: Convert): T {
  let step = steps.next();
  while (!step.done) {
    const { object, apiVersion } = step.value;
    step = attempt(steps, () => convert(object, apiVersion));
  }
  return step.value;
}

function attempt<T>(steps: Converting<T>, convert: () => JsonObject): IteratorResult<ConversionRequest, T> {
  let converted: JsonObject;
  try {
    converted = convert();
  } catch (error) {
    return steps.throw(error);
  }
  return steps.next(converted);
}

export async function runAsync<T>(steps: Converting<T>, convert: ConvertAsync): Promise<T> {
  let step = steps.next();
  while (!step.done) {
    const { object, apiVersion } = step.value;
    let converted: JsonObject;
    try {
      converted = await convert(object, apiVersion);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(converted);
  }
  return step.value;
}
