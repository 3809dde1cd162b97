// Calls what is to be proved, and takes nothing for granted: it may throw, answer nonsense, or change what it
// was given.
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

  /**
   * `given` is what was handed over, as it is afterwards. The number of objects that come back may be any.
   */
  async run(objects: readonly JsonObject[], apiVersion: string): Promise<Converted> {
    const given = objects.map((object) => deepCopy(object));
    this.calls++;
    const result = await this.#answer(given, apiVersion);
    if ('failure' in result) return result;
    const stray = result.objects.findIndex((one) => !isJsonObject(one));
    if (stray >= 0) return { failure: `the result has no object in place ${stray}` };
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
