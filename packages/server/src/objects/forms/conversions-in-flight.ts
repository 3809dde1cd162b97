// Conversions of stored objects in flight, for one definition of a resource. A request for an object that is
// already being converted waits for the same conversion: a hundred watchers of an event cost one call.
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

/** Undefined: unknown, since the request that was converting the object has stopped. */
type SharedOutcome = FormOutcome | undefined;

/**
 * How often a request retries what failed together with objects of another request, perhaps because of them.
 * Of many requests that wait for each other only one does so at a time.
 */
const MAX_RETRIES = 2;

/** When a request does not need the rest. */
export type StopOptions = Pick<ConvertOptions, 'stopsAtFirst' | 'isAborted'>;

export type SettleForm = (index: number, outcome: FormOutcome) => void;

interface Waiter {
  settle(outcome: SharedOutcome): void;
  reject(error: unknown): void;
}

/** The other requests that wait for an object; undefined while there are none, which is the usual case. */
type InFlight = Map<CachedObject, Waiter[] | undefined>;

export class ConversionsInFlight {
  readonly #converter: AsyncConverter;
  readonly #maker: Pick<FormMaker, 'refusal' | 'source' | 'fromConverted' | 'fromJson'>;
  /**
   * By version, then by object. A request that began earlier may have the version of an earlier definition.
   */
  readonly #inFlight = new WeakMap<VersionDefinition, InFlight>();

  constructor(
    converter: AsyncConverter,
    maker: Pick<FormMaker, 'refusal' | 'source' | 'fromConverted' | 'fromJson'>,
  ) {
    this.#converter = converter;
    this.#maker = maker;
  }

  /** Settles each object by its index; resolves when all are settled, or as many as `stop` needs. */
  async convert(
    objects: readonly CachedObject[],
    version: VersionDefinition,
    settle: SettleForm,
    stop: StopOptions = {},
  ): Promise<void> {
    return this.#convert(objects, version, settle, stop, MAX_RETRIES);
  }

  async #convert(
    objects: readonly CachedObject[],
    version: VersionDefinition,
    settleForm: SettleForm,
    stop: StopOptions,
    retries: number,
  ): Promise<void> {
    const inFlight = this.#inVersion(version);
    const own: number[] = [];
    const others: Promise<void>[] = [];
    const again: number[] = [];
    let hasFailed = false;
    const settle: SettleForm = (index, outcome) => {
      hasFailed ||= isFailure(outcome);
      settleForm(index, outcome);
    };
    try {
      for (const [index, cached] of objects.entries()) {
        if (inFlight.has(cached)) {
          const shared = new Promise<SharedOutcome>((resolve, reject) =>
            join(inFlight, cached, { settle: resolve, reject }),
          );
          const settleShared = (form: SharedOutcome): void => {
            if (form === undefined || mayBeFaultOfAnother(form, retries)) again.push(index);
            else settle(index, form);
          };
          const settled = shared.then(settleShared);
          // Awaited below, unless this request fails first: its rejection must not end the process then.
          settled.catch(() => {});
          others.push(settled);
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
      await this.#convertOwn(objects, own, version, settle, stop);
    } catch (error) {
      for (const index of own)
        for (const waiter of takeWaiters(inFlight, objects[index]!) ?? []) waiter.reject(error);
      throw error;
    }
    await Promise.all(others);
    if (again.length === 0 || (hasFailed && stop.stopsAtFirst) || stop.isAborted?.()) return;
    const left = again.map((index) => objects[index]!);
    await this.#convert(left, version, (at, outcome) => settle(again[at]!, outcome), stop, retries - 1);
  }

  /** Converts the objects that no other request is converting. */
  async #convertOwn(
    objects: readonly CachedObject[],
    own: readonly number[],
    version: VersionDefinition,
    settle: SettleForm,
    stop: StopOptions,
  ): Promise<void> {
    const inFlight = this.#inVersion(version);
    const maker = this.#maker;
    const sources = { length: own.length, at: (at: number) => maker.source(objects[own[at]!]!) };
    const isSettled = new Uint8Array(own.length);
    const settleAll = (at: number, form: FormOutcome): void => {
      const index = own[at]!;
      isSettled[at] = 1;
      settle(index, form);
      for (const waiter of takeWaiters(inFlight, objects[index]!) ?? []) waiter.settle(form);
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
    await this.#converter.convert(sources, version.apiVersion, settleObject, { takesJson, ...stop });
    for (const [at, index] of own.entries()) {
      if (isSettled[at] === 0)
        for (const waiter of takeWaiters(inFlight, objects[index]!) ?? []) waiter.settle(undefined);
    }
  }

  #inVersion(version: VersionDefinition): InFlight {
    let inFlight = this.#inFlight.get(version);
    if (inFlight === undefined) this.#inFlight.set(version, (inFlight = new Map()));
    return inFlight;
  }
}

/**
 * True if another object may have caused the failure. After a timeout there is no retry: the request has
 * waited as long as a call may take.
 */
const mayBeFaultOfAnother = (form: FormOutcome, retries: number): boolean =>
  retries > 0 && isFailure(form) && !form.isItsOwn && form.kind !== 'timeout';

function join(inFlight: InFlight, cached: CachedObject, waiter: Waiter): void {
  const waiters = inFlight.get(cached);
  if (waiters === undefined) inFlight.set(cached, [waiter]);
  else waiters.push(waiter);
}

function takeWaiters(inFlight: InFlight, cached: CachedObject): readonly Waiter[] | undefined {
  const waiters = inFlight.get(cached);
  inFlight.delete(cached);
  return waiters;
}
