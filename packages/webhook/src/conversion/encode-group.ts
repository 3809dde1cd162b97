// Several objects as the inside of a JSON list. Together they cost half of what they cost one by one.
import { encodeJson, type JsonObject } from '@instar/machinery';

export interface EncodingFault {
  readonly index: number;
  readonly error: unknown;
}

/** Or which of them cannot be written as JSON (a function made something circular). */
export function encodeGroup(objects: readonly JsonObject[]): string | readonly EncodingFault[] {
  try {
    return encodeJson(objects).slice(1, -1);
  } catch {
    return objects.flatMap((object, index) => faultOf(object, index));
  }
}

function faultOf(object: JsonObject, index: number): EncodingFault[] {
  try {
    encodeJson(object);
    return [];
  } catch (error) {
    return [{ index, error }];
  }
}
