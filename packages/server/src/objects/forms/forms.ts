// The forms of a resource's objects in each version: what clients get, made when it is first requested.
import { isFailure } from '@instar/convert';
import { invariant } from '@instar/machinery';
import type { CachedObject } from '../cached-object.ts';
import type { ResourceDefinition, VersionDefinition } from '../definition.ts';
import { inSlices } from '../time-slice.ts';
import { BriefWait } from './brief-wait.ts';
import { CachedForms } from './cached-forms.ts';
import { type ConversionWait, measureWait } from './conversion-wait.ts';
import { ConversionsInFlight, type SettleForm } from './conversions-in-flight.ts';
import type { FormBudget, ObjectLookup } from './form-budget.ts';
import { FormMaker } from './form-maker.ts';
import type { FormOutcome } from './form-outcome.ts';

interface OutcomeOptions {
  /** Take the stored object, in whatever version it is: nothing is converted. */
  readonly asStored?: boolean | undefined;
  /** Wait only briefly. What takes longer is a failure for this caller, and is cached for later ones. */
  readonly briefly?: boolean | undefined;
  /** All or nothing: after the first failure the rest may stay undefined. */
  readonly stopsAtFirst?: boolean | undefined;
  readonly waited?: ConversionWait | undefined;
  /** When aborted, nothing further is converted, and the call throws. */
  readonly signal?: AbortSignal | undefined;
}

/** By the index of the object. */
type Outcomes = (FormOutcome | undefined)[];

export class Forms {
  readonly cachedForms: CachedForms;
  #maker: FormMaker;
  /** Undefined if the converter is immediate. */
  #conversions: ConversionsInFlight | undefined;
  readonly #briefWait = new BriefWait();

  constructor(definition: ResourceDefinition, budget: FormBudget, objects: ObjectLookup) {
    this.cachedForms = new CachedForms(definition, budget, objects);
    this.#maker = new FormMaker(definition, this.cachedForms);
    this.#conversions = conversionsOf(definition, this.#maker);
  }

  /** Forms of the old definition are made again when they are requested. */
  redefine(definition: ResourceDefinition): void {
    this.cachedForms.redefine(definition);
    this.#maker = new FormMaker(definition, this.cachedForms);
    this.#conversions = conversionsOf(definition, this.#maker);
  }

  /** The identity that cached forms belong to. */
  get generation(): object {
    return this.cachedForms.generation;
  }

  get maker(): FormMaker {
    return this.#maker;
  }

  /** The outcome, if it is known without waiting. */
  outcomeNow(object: CachedObject, version: VersionDefinition): FormOutcome | undefined {
    return this.#maker.outcomeNow(object, version);
  }

  /** The form, if it is cached or can be made without waiting; undefined otherwise, for whatever reason. */
  formIfPossible(object: CachedObject, version: VersionDefinition): Uint8Array | undefined {
    const outcome = this.#maker.outcomeNow(object, version);
    return outcome === undefined || isFailure(outcome) ? undefined : outcome;
  }

  /**
   * The outcome for each object, by its index. Objects that have to be converted are sent together. An
   * outcome is undefined only with `stopsAtFirst`, if another one is a failure.
   */
  async outcomes(
    objects: readonly CachedObject[],
    version: VersionDefinition,
    options: OutcomeOptions = {},
  ): Promise<Outcomes> {
    const outcomes: Outcomes = new Array(objects.length);
    const waiting: number[] = [];
    const conversions = this.#conversions;
    await inSlices(objects, (object, index) => {
      const outcome = options.asStored
        ? this.#maker.inStoredVersion(object)
        : this.#maker.outcomeNow(object, version);
      if (outcome === undefined) waiting.push(index);
      else outcomes[index] = outcome;
    });
    if (waiting.length > 0) {
      // The definition may have changed in the meantime, to one with an immediate converter.
      const by = this.#conversions ?? conversions;
      invariant(by !== undefined, 'an object waits for conversion, but the converter is immediate');
      await measureWait(options.waited, () =>
        options.briefly
          ? this.#convertBriefly(by, outcomes, objects, waiting, version)
          : convertInto(by, outcomes, objects, waiting, version, options),
      );
    }
    options.signal?.throwIfAborted();
    return outcomes;
  }

  /** Conversions that take longer continue for later callers, even if the client has disconnected. */
  async #convertBriefly(
    by: ConversionsInFlight,
    outcomes: Outcomes,
    objects: readonly CachedObject[],
    waiting: readonly number[],
    version: VersionDefinition,
  ): Promise<void> {
    let isLate = false;
    const settle: SettleForm = (at, outcome) => {
      if (!isFailure(outcome)) this.#briefWait.answered();
      if (!isLate) outcomes[waiting[at]!] = outcome;
    };
    const conversion = by.convert(
      waiting.map((index) => objects[index]!),
      version,
      settle,
    );
    if (await this.#briefWait.isOver(conversion)) return;
    isLate = true;
    for (const index of waiting) outcomes[index] ??= this.#maker.notYetConverted(objects[index]!, version);
  }
}

function conversionsOf({ converter }: ResourceDefinition, maker: FormMaker): ConversionsInFlight | undefined {
  return converter.convertNow === undefined ? new ConversionsInFlight(converter, maker) : undefined;
}

async function convertInto(
  by: ConversionsInFlight,
  outcomes: Outcomes,
  objects: readonly CachedObject[],
  waiting: readonly number[],
  version: VersionDefinition,
  { stopsAtFirst = false, signal }: OutcomeOptions,
): Promise<void> {
  await by.convert(
    waiting.map((index) => objects[index]!),
    version,
    (at, outcome) => {
      outcomes[waiting[at]!] = outcome;
    },
    { stopsAtFirst, isAborted: signal && (() => signal.aborted) },
  );
}
