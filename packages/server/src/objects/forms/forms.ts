// The forms of a resource's objects in each version: what clients get, made when it is first asked for.
import { isFailure } from '@instar/convert';
import { invariant } from '@instar/machinery';
import type { CachedObject } from '../cached-object.ts';
import type { ResourceDefinition, VersionDefinition } from '../definition.ts';
import { inSlices } from '../time-slice.ts';
import { BriefWait } from './brief-wait.ts';
import { ConversionsInFlight, type SettleForm } from './conversions-in-flight.ts';
import type { FormBudget, Objects } from './form-budget.ts';
import { FormMaker } from './form-maker.ts';
import type { FormOutcome } from './form-outcome.ts';
import { KeptForms } from './kept-forms.ts';
import { timed, type Waited } from './waited.ts';

export interface OutcomeOptions {
  /** Take the stored object, in whatever version it is: nothing is converted. */
  readonly asStored?: boolean | undefined;
  /** Wait only briefly. What takes longer is a failure to this caller, and is kept for later ones. */
  readonly briefly?: boolean | undefined;
  /** All or nothing: after the first failure the rest may stay undefined. */
  readonly stopsAtFirst?: boolean | undefined;
  readonly waited?: Waited | undefined;
  /** When aborted, what has not been converted by then is not, and the call throws. */
  readonly signal?: AbortSignal | undefined;
}

/** By the place of the object in the list. */
type Outcomes = (FormOutcome | undefined)[];

export class Forms {
  readonly kept: KeptForms;
  #maker: FormMaker;
  /** Undefined where no conversion has to be waited for. */
  #conversions: ConversionsInFlight | undefined;
  readonly #briefWait = new BriefWait();

  constructor(definition: ResourceDefinition, budget: FormBudget, objects: Objects) {
    this.kept = new KeptForms(definition, budget, objects);
    this.#maker = new FormMaker(definition, this.kept);
    this.#conversions = conversionsOf(definition, this.#maker);
  }

  /** Forms made under the old definition are made anew when they are asked for. */
  redefine(definition: ResourceDefinition): void {
    this.kept.redefine(definition);
    this.#maker = new FormMaker(definition, this.kept);
    this.#conversions = conversionsOf(definition, this.#maker);
  }

  /** Forms are good for one of these. */
  get generation(): object {
    return this.kept.generation;
  }

  get maker(): FormMaker {
    return this.#maker;
  }

  /** The outcome, if it is at hand or can be had without waiting. */
  now(object: CachedObject, version: VersionDefinition): FormOutcome | undefined {
    return this.#maker.now(object, version);
  }

  /** The form, if it can be had without waiting, where it does not matter why there is none. */
  ifPossible(object: CachedObject, version: VersionDefinition): Uint8Array | undefined {
    const outcome = this.#maker.now(object, version);
    return outcome === undefined || isFailure(outcome) ? undefined : outcome;
  }

  /**
   * What became of each object, by its place in the list. Those that have to be converted travel together. An
   * outcome is undefined only with `stopsAtFirst`, where another one is a failure.
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
        : this.#maker.now(object, version);
      if (outcome === undefined) waiting.push(index);
      else outcomes[index] = outcome;
    });
    if (waiting.length > 0) {
      // The definition may have changed in the meantime, to one that has nothing to wait for.
      const by = this.#conversions ?? conversions;
      invariant(by !== undefined, 'an object has to be converted, but there is nothing to wait for');
      await timed(options.waited, () =>
        options.briefly
          ? this.#convertBriefly(by, outcomes, objects, waiting, version)
          : convertInto(by, outcomes, objects, waiting, version, options),
      );
    }
    options.signal?.throwIfAborted();
    return outcomes;
  }

  /** What takes longer than a brief wait goes on for later callers, even if the client has gone. */
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
