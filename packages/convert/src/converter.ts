// What converts objects between the versions of one definition.
import { invariant, type JsonShape, type KubeObject } from '@instar/machinery';
import { ConversionFailure } from './failure.ts';
import type { ConversionSource, ConversionSources } from './source.ts';

/** Each object has its own outcome: a failure does not affect the others. */
export type ConversionOutcome = KubeObject | ConversionFailure;

/** Needs no I/O. Never changes the object; the result may share parts with it. Throws a ConversionFailure. */
export interface ImmediateConverter {
  convertNow(object: KubeObject, toApiVersion: string): KubeObject;
  /**
   * Values that the version cannot hold are stashed in an annotation (a lens does that), which must be stored
   * with the object and hidden from clients.
   */
  readonly usesStash?: boolean;
  /** Changes nothing but apiVersion. */
  readonly onlyRelabels?: boolean;
  readonly convert?: undefined;
}

/** Called with each outcome as it arrives; `index` is that of the source in the list. */
export type Settle = (index: number, outcome: ConversionOutcome, source: ConversionSource) => void;

/** For callers that need only the JSON, not the object. */
export interface TakesJson {
  /** Of the target version. */
  readonly shape: JsonShape;
  /**
   * Called for an object whose metadata came back as sent and whose members are all in the shape, with its
   * JSON after the opening brace of metadata. The buffer is reused: copy what you keep, immediately.
   */
  settle(index: number, rest: Uint8Array): void;
}

/** Options of one conversion. */
export interface ConvertOptions {
  readonly takesJson?: TakesJson | undefined;
  /**
   * All or nothing: after the first failure no further objects are sent, and nothing is reported for them.
   */
  readonly stopsAtFirst?: boolean;
  /**
   * Checked before every call: once it returns true, no further calls are made, and nothing is reported for
   * what has not been sent.
   */
  readonly isAborted?: (() => boolean) | undefined;
}

/** Resolves when every outcome has been reported; never rejects. */
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

/** Converts the objects of one definition between its versions. */
export type Converter = ImmediateConverter | AsyncConverter;

/** The outcome of an immediate conversion. */
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

/** The outcomes of a few objects that are sent together, in their order. */
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
    invariant(outcome !== undefined, 'a converter did not report an outcome for an object');
  return outcomes;
}

/** Strategy None: the versions differ in their name only. */
export const RELABEL: ImmediateConverter = {
  convertNow: (object, apiVersion) => ({ ...object, apiVersion }),
  onlyRelabels: true,
};
