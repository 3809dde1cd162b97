// Conversions of stored objects in flight, for one definition of a resource. A request for an object that is
// being converted already waits for the same conversion: a hundred watchers of an event cost one call.
import {
  type AsyncConverter,
  type ConversionOutcome,
  type ConversionSource,
  type ConvertOptions,
  isFailure,
} from '@instar/convert';
import type { CachedObject } from '../cached-object.ts';
import type { VersionDefinition } from '../definition.ts';
import type { FormMaker } from './form-maker.ts';
import type { FormOutcome } from './form-outcome.ts';

/** Undefined: not known, since the request that was converting it has stopped. */
type Told = FormOutcome | undefined;

/**
 * How often a request converts anew what failed together with other objects, perhaps because of them: of many
 * requests that wait for each other only one does so at a time.
 */
const TRIES = 2;

/** When a request does not need the rest. */
export type Ends = Pick<ConvertOptions, 'stopsAtFirst' | 'isAborted'>;

export type SettleForm = (index: number, outcome: FormOutcome) => void;

interface Waiter {
  settle(told: Told): void;
  reject(error: unknown): void;
}

/** Who else waits for an object; mostly nobody does, and then there is no list. */
type InFlight = Map<CachedObject, Waiter[] | undefined>;

export class ConversionsInFlight {
  readonly #converter: AsyncConverter;
  readonly #maker: Pick<FormMaker, 'refusal' | 'source' | 'fromConverted' | 'fromJson'>;
  /**
   * By version, which for a request that began earlier may be that of an earlier definition, then by object.
   */
  readonly #inFlight = new WeakMap<VersionDefinition, InFlight>();

  constructor(
    converter: AsyncConverter,
    maker: Pick<FormMaker, 'refusal' | 'source' | 'fromConverted' | 'fromJson'>,
  ) {
    this.#converter = converter;
    this.#maker = maker;
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
    const inFlight = this.#inVersion(version);
    const own: number[] = [];
    const others: Promise<void>[] = [];
    const again: number[] = [];
    let hasFailed = false;
    const settle: SettleForm = (index, outcome) => {
      hasFailed ||= isFailure(outcome);
      tell(index, outcome);
    };
    try {
      for (const [index, cached] of objects.entries()) {
        if (inFlight.has(cached)) {
          const told = new Promise<Told>((resolve, reject) =>
            join(inFlight, cached, { settle: resolve, reject }),
          );
          const hear = (form: Told): void => {
            if (form === undefined || isOfAnother(form, tries)) again.push(index);
            else settle(index, form);
          };
          const heard = told.then(hear);
          // It is awaited below, unless all of this fails first: an error must not end the process then.
          heard.catch(() => {});
          others.push(heard);
          continue;
        }
        const refusal = this.#maker.refusal(cached, version);
        if (refusal !== undefined) {
          settle(index, refusal);
          continue;
        }
        inFlight.set(cached, undefined);
        own.push(index);
      }
      await this.#convertOwn(objects, own, version, settle, ends);
    } catch (error) {
      for (const index of own)
        for (const waiter of take(inFlight, objects[index]!) ?? []) waiter.reject(error);
      throw error;
    }
    await Promise.all(others);
    if (again.length === 0 || (hasFailed && ends.stopsAtFirst) || ends.isAborted?.()) return;
    const left = again.map((index) => objects[index]!);
    await this.#convert(left, version, (at, outcome) => settle(again[at]!, outcome), ends, tries - 1);
  }

  /** What no other request is converting. */
  async #convertOwn(
    objects: readonly CachedObject[],
    own: readonly number[],
    version: VersionDefinition,
    settle: SettleForm,
    ends: Ends,
  ): Promise<void> {
    const inFlight = this.#inVersion(version);
    const maker = this.#maker;
    const sources = { length: own.length, at: (at: number) => maker.source(objects[own[at]!]!) };
    const isSettled = new Uint8Array(own.length);
    const settleAll = (at: number, form: FormOutcome): void => {
      const index = own[at]!;
      isSettled[at] = 1;
      settle(index, form);
      for (const waiter of take(inFlight, objects[index]!) ?? []) waiter.settle(form);
    };
    const settleObject = (at: number, outcome: ConversionOutcome, { metadata }: ConversionSource): void => {
      const cached = objects[own[at]!]!;
      settleAll(
        at,
        isFailure(outcome) ? outcome : maker.fromConverted(cached, version, outcome, metadata.labels),
      );
    };
    const shape = version.schema.shape('pruned');
    const takesJson = shape && {
      shape,
      settle: (at: number, rest: Uint8Array) =>
        settleAll(at, maker.fromJson(objects[own[at]!]!, version, rest)),
    };
    await this.#converter.convert(sources, version.apiVersion, settleObject, { takesJson, ...ends });
    for (const [at, index] of own.entries()) {
      if (isSettled[at] === 0)
        for (const waiter of take(inFlight, objects[index]!) ?? []) waiter.settle(undefined);
    }
  }

  #inVersion(version: VersionDefinition): InFlight {
    let inFlight = this.#inFlight.get(version);
    if (inFlight === undefined) this.#inFlight.set(version, (inFlight = new Map()));
    return inFlight;
  }
}

/**
 * True if another object may be the reason. A request that has waited as long as a call may take has no time
 * for another one.
 */
const isOfAnother = (form: FormOutcome, tries: number): boolean =>
  tries > 0 && isFailure(form) && !form.isItsOwn && form.kind !== 'timeout';

function join(inFlight: InFlight, cached: CachedObject, waiter: Waiter): void {
  const waiters = inFlight.get(cached);
  if (waiters === undefined) inFlight.set(cached, [waiter]);
  else waiters.push(waiter);
}

function take(inFlight: InFlight, cached: CachedObject): readonly Waiter[] | undefined {
  const waiters = inFlight.get(cached);
  inFlight.delete(cached);
  return waiters;
}
