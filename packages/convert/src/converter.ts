// What converts objects between the versions of one definition.
import { invariant, type JsonShape, type KubeObject } from '@instar/machinery';
import { ConversionFailure } from './failure.ts';
import type { ConversionSource, ConversionSources } from './source.ts';

/** Each object has its own outcome: one that cannot be converted takes no other with it. */
export type ConversionOutcome = KubeObject | ConversionFailure;

/**
 * Needs no I/O. The object given is never changed; what comes back may share parts with it. Throws a
 * ConversionFailure.
 */
export interface ImmediateConverter {
  convertNow(object: KubeObject, toApiVersion: string): KubeObject;
  /**
   * What a version cannot hold travels in an annotation (a lens does that): it has to be kept with the
   * object, and is nothing for clients.
   */
  readonly usesStash?: boolean;
  /** Changes nothing but apiVersion. */
  readonly onlyRelabels?: boolean;
  readonly convert?: undefined;
}

/** Told of each outcome as it comes, by the place of the source in the list. */
export type Settle = (index: number, outcome: ConversionOutcome, source: ConversionSource) => void;

/** For whoever can do without the object itself. */
export interface TakesJson {
  /** Of the version that is asked for. */
  readonly shape: JsonShape;
  /**
   * Told of an object that came back with its metadata as it was sent, and in which the shape knows
   * everything: its JSON from behind the opening brace of metadata. Part of something larger whose memory
   * serves again, so whoever keeps it copies it at once.
   */
  settle(index: number, rest: Uint8Array): void;
}

export interface ConvertOptions {
  readonly takesJson?: TakesJson | undefined;
  /**
   * For whoever wants all of them or none: once one cannot be converted, others are not sent any more, and
   * nothing is told of them.
   */
  readonly stopsAtFirst?: boolean;
  /**
   * Asked before every call: if nobody waits any more, no more are made, and nothing is told of what has not
   * been sent.
   */
  readonly isAborted?: (() => boolean) | undefined;
}

/** Has to be waited for. Resolves when every outcome has been told; never rejects. */
export interface AsyncConverter {
  readonly convertNow?: undefined;
  readonly usesStash?: undefined;
  convert(
    sources: ConversionSources,
    toApiVersion: string,
    settle: Settle,
    options?: ConvertOptions,
  ): Promise<void>;
}

export type Converter = ImmediateConverter | AsyncConverter;

/** What becomes of an object where nothing has to be waited for. */
export function outcomeNow(
  converter: ImmediateConverter,
  object: KubeObject,
  toApiVersion: string,
): ConversionOutcome {
  try {
    return converter.convertNow(object, toApiVersion);
  } catch (error) {
    if (error instanceof ConversionFailure) return error;
    throw error;
  }
}

/** The outcomes of a few objects that travel together, in their order. */
export async function convertAll(
  converter: AsyncConverter,
  sources: readonly ConversionSource[],
  toApiVersion: string,
): Promise<ConversionOutcome[]> {
  const outcomes = new Array<ConversionOutcome>(sources.length);
  await converter.convert(sources, toApiVersion, (index, outcome) => {
    outcomes[index] = outcome;
  });
  for (const outcome of outcomes)
    invariant(outcome !== undefined, 'a converter did not tell what became of an object');
  return outcomes;
}

/** Strategy None: the versions differ in nothing but their name. */
export const RELABEL: ImmediateConverter = {
  convertNow: (object, apiVersion) => ({ ...object, apiVersion }),
  onlyRelabels: true,
};
