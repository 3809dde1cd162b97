// Conversions of stored objects under way, for one definition of a resource. Whoever asks for an object that
// is being converted already waits for the same conversion: a hundred watchers of an event cost one call.
import {
  type AsyncConverter,
  type ConversionOutcome,
  type ConversionSource,
  type ConvertOptions,
  isFailure,
} from '@instar/convert';
import type { KubeObject } from '@instar/machinery';
import type { CachedObject } from './cached-object.ts';
import type { VersionDefinition } from './definition.ts';

/** What became of one object: its form, or why there is none. */
export type FormOutcome = Uint8Array | Extract<ConversionOutcome, Error>;

/** Undefined: nobody knows, since whoever was converting it has stopped. */
type Told = FormOutcome | undefined;

/**
 * How often a request converts anew what failed with others, perhaps because of them: of many that wait for
 * each other only one does so at a time.
 */
const TRIES = 2;

/** When a request does not want to know any more. */
export type Ends = Pick<ConvertOptions, 'stopsAtFirst' | 'isAborted'>;

export type SettleForm = (index: number, outcome: FormOutcome) => void;

interface Waiter {
  settle(told: Told): void;
  reject(error: unknown): void;
}

/** Who else waits for an object; mostly nobody, and then there is no list. */
type UnderWay = Map<CachedObject, Waiter[] | undefined>;

export interface FormConversionsOptions {
  readonly converter: AsyncConverter;
  /** Why the object cannot even be sent; undefined if it can. */
  refusal(cached: CachedObject, version: VersionDefinition): Extract<ConversionOutcome, Error> | undefined;
  /** The object as a converter gets it. */
  source(cached: CachedObject): ConversionSource;
  /** Makes the form of what came back, and keeps it. */
  keep(
    cached: CachedObject,
    version: VersionDefinition,
    converted: KubeObject,
    source: ConversionSource,
  ): Uint8Array;
  /** The same of what came back as JSON: all that stands in it behind the opening brace of metadata. */
  keepJson(cached: CachedObject, version: VersionDefinition, rest: Uint8Array): Uint8Array;
}

export class FormConversions {
  readonly #options: FormConversionsOptions;
  /**
   * By version, which for a request that began earlier may be that of an earlier definition, then by object:
   * who else waits for it.
   */
  readonly #underWay = new WeakMap<VersionDefinition, UnderWay>();

  constructor(options: FormConversionsOptions) {
    this.#options = options;
  }

  /**
   * Tells of each object, by its place in the list; resolves when all have been told, or enough for `ends`.
   */
  async convert(
    objects: readonly CachedObject[],
    version: VersionDefinition,
    settle: SettleForm,
    ends: Ends = {},
  ): Promise<void> {
    return this.#convert(objects, version, settle, ends, TRIES);
  }

  async #convert(
    objects: readonly CachedObject[],
    version: VersionDefinition,
    tell: SettleForm,
    ends: Ends,
    tries: number,
  ): Promise<void> {
    const underWay = this.#inVersion(version);
    const places: number[] = [];
    const others: Promise<void>[] = [];
    const again: number[] = [];
    let hasFailed = false;
    const settle: SettleForm = (index, outcome) => {
      hasFailed ||= isFailure(outcome);
      tell(index, outcome);
    };
    try {
      for (const [index, cached] of objects.entries()) {
        if (underWay.has(cached)) {
          const told = new Promise<Told>((resolve, reject) =>
            join(underWay, cached, { settle: resolve, reject }),
          );
          const hear = (form: Told): void => {
            if (form === undefined || isOfAnother(form, tries)) again.push(index);
            else settle(index, form);
          };
          const heard = told.then(hear);
          // Until somebody listens, or if nobody ever does because all of this fails: an error must not end
          // the process.
          heard.catch(() => {});
          others.push(heard);
          continue;
        }
        const refusal = this.#options.refusal(cached, version);
        if (refusal !== undefined) {
          settle(index, refusal);
          continue;
        }
        underWay.set(cached, undefined);
        places.push(index);
      }
      await this.#convertOwn(objects, places, version, settle, ends);
    } catch (error) {
      for (const index of places)
        for (const waiter of take(underWay, objects[index]!) ?? []) waiter.reject(error);
      throw error;
    }
    await Promise.all(others);
    if (again.length === 0 || (hasFailed && ends.stopsAtFirst) || ends.isAborted?.()) return;
    const left = again.map((index) => objects[index]!);
    await this.#convert(left, version, (at, outcome) => settle(again[at]!, outcome), ends, tries - 1);
  }

  /** What nobody else is converting. */
  async #convertOwn(
    objects: readonly CachedObject[],
    places: readonly number[],
    version: VersionDefinition,
    settle: SettleForm,
    ends: Ends,
  ) {
    const underWay = this.#inVersion(version);
    const { converter, source: sourceOf, keep, keepJson } = this.#options;
    const sources = { length: places.length, at: (at: number) => sourceOf(objects[places[at]!]!) };
    const isSettled = new Uint8Array(places.length);
    const settleAll = (at: number, form: FormOutcome): void => {
      const index = places[at]!;
      isSettled[at] = 1;
      settle(index, form);
      for (const waiter of take(underWay, objects[index]!) ?? []) waiter.settle(form);
    };
    const keptForm = (at: number, outcome: ConversionOutcome, source: ConversionSource): FormOutcome =>
      isFailure(outcome) ? outcome : keep(objects[places[at]!]!, version, outcome, source);
    const shape = version.schema.shape('pruned');
    const takesJson = shape && {
      shape,
      settle: (at: number, rest: Uint8Array) => settleAll(at, keepJson(objects[places[at]!]!, version, rest)),
    };
    const settleObject = (at: number, outcome: ConversionOutcome, source: ConversionSource): void =>
      settleAll(at, keptForm(at, outcome, source));
    await converter.convert(sources, version.apiVersion, settleObject, { takesJson, ...ends });
    for (const [at, index] of places.entries()) {
      if (isSettled[at] === 0)
        for (const waiter of take(underWay, objects[index]!) ?? []) waiter.settle(undefined);
    }
  }

  #inVersion(version: VersionDefinition): UnderWay {
    let underWay = this.#underWay.get(version);
    if (underWay === undefined) this.#underWay.set(version, (underWay = new Map()));
    return underWay;
  }
}

/**
 * True if another object may be the reason. Whoever has waited as long as a call may take has no time to wait
 * for another one.
 */
const isOfAnother = (form: FormOutcome, tries: number): boolean =>
  tries > 0 && isFailure(form) && !form.isItsOwn && form.kind !== 'timeout';

function join(underWay: UnderWay, cached: CachedObject, waiter: Waiter): void {
  const waiters = underWay.get(cached);
  if (waiters === undefined) underWay.set(cached, [waiter]);
  else waiters.push(waiter);
}

function take(underWay: UnderWay, cached: CachedObject): readonly Waiter[] | undefined {
  const waiters = underWay.get(cached);
  underWay.delete(cached);
  return waiters;
}
