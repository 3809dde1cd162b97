// Conversions of stored objects under way, for one definition of a resource. Whoever asks for an object that is being converted already
// waits for the same conversion: a hundred watchers of an event cost one call.
import { type ConversionOutcome, type ConversionSource, isFailure, type WaitingConverter } from '@instar/convert';
import type { KubeObject } from '@instar/machinery';
import type { CachedObject } from './cached-object.ts';
import type { VersionDefinition } from './definition.ts';

/** What became of one object: its form, or why there is none. */
export type FormOutcome = Uint8Array | Extract<ConversionOutcome, Error>;

interface Waiter {
  settle(outcome: FormOutcome): void;
  reject(error: unknown): void;
}

export interface FormConversionsOptions {
  readonly converter: WaitingConverter;
  /** The object as a converter gets it; a failure if it cannot even be sent. */
  source(cached: CachedObject, version: VersionDefinition): ConversionSource | Extract<ConversionOutcome, Error>;
  /** Makes the form of what came back, and keeps it. */
  keep(cached: CachedObject, version: VersionDefinition, converted: KubeObject, source: ConversionSource): Uint8Array;
}

export class FormConversions {
  readonly #options: FormConversionsOptions;
  /** By apiVersion, then object: who else waits for it. */
  readonly #underWay = new Map<string, Map<CachedObject, Waiter[]>>();

  constructor(options: FormConversionsOptions) {
    this.#options = options;
  }

  /** Tells of each object, by its place in the list; resolves when all have been told. */
  async convert(objects: readonly CachedObject[], version: VersionDefinition, settle: (index: number, outcome: FormOutcome) => void) {
    const underWay = this.#inVersion(version.apiVersion);
    const sources: ConversionSource[] = [];
    const places: number[] = [];
    const others: Promise<void>[] = [];
    for (const [index, cached] of objects.entries()) {
      const waiters = underWay.get(cached);
      if (waiters !== undefined) {
        others.push(new Promise((resolve, reject) => waiters.push({ settle: (outcome) => resolve(settle(index, outcome)), reject })));
        continue;
      }
      const source = this.#options.source(cached, version);
      if (isFailure(source)) {
        settle(index, source);
        continue;
      }
      underWay.set(cached, []);
      sources.push(source);
      places.push(index);
    }
    try {
      await this.#options.converter.convert(sources, version.apiVersion, (at, outcome) => {
        const index = places[at]!;
        const cached = objects[index]!;
        const form = isFailure(outcome) ? outcome : this.#options.keep(cached, version, outcome, sources[at]!);
        settle(index, form);
        for (const waiter of take(underWay, cached)) waiter.settle(form);
      });
    } catch (error) {
      for (const index of places) for (const waiter of take(underWay, objects[index]!)) waiter.reject(error);
      throw error;
    }
    await Promise.all(others);
  }

  #inVersion(apiVersion: string): Map<CachedObject, Waiter[]> {
    let underWay = this.#underWay.get(apiVersion);
    if (underWay === undefined) this.#underWay.set(apiVersion, (underWay = new Map()));
    return underWay;
  }
}

function take(underWay: Map<CachedObject, Waiter[]>, cached: CachedObject): Waiter[] {
  const waiters = underWay.get(cached) ?? [];
  underWay.delete(cached);
  return waiters;
}
