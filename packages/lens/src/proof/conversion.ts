// Calls the conversion under test, and assumes nothing: it may throw, return nonsense, or change its
// argument.
import { asKubeObject, deepCopy, isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import type { Comparer } from './comparison.ts';
import type { ConversionResult, ConvertFunction } from './subject.ts';

export type Converted =
  | { readonly objects: readonly JsonObject[]; readonly given: readonly JsonObject[] }
  | { readonly failure: string };

export class Conversion {
  readonly #convert: ConvertFunction;
  readonly #comparer: Comparer;
  calls = 0;

  constructor(convert: ConvertFunction, comparer: Comparer) {
    this.#convert = convert;
    this.#comparer = comparer;
  }

  /** `given` is the argument, as it is afterwards. Any number of objects may come back. */
  async run(objects: readonly JsonObject[], apiVersion: string): Promise<Converted> {
    const given = objects.map((object) => deepCopy(object));
    this.calls++;
    const result = await this.#answer(given, apiVersion);
    if ('failure' in result) return result;
    const stray = result.objects.findIndex((one) => !isJsonObject(one));
    if (stray >= 0) return { failure: `the result has no object at index ${stray}` };
    const converted = result.objects as readonly JsonObject[];
    objects.forEach((object, index) => {
      if (converted.length === objects.length) this.#comparer.learn(object, converted[index]!);
    });
    return { objects: converted, given };
  }

  async #answer(given: readonly JsonObject[], apiVersion: string): Promise<ConversionResult> {
    try {
      return await this.#convert(
        given.map((one: JsonValue) => asKubeObject(one)),
        apiVersion,
      );
    } catch (error) {
      return { failure: error instanceof Error ? error.message : String(error) };
    }
  }
}
