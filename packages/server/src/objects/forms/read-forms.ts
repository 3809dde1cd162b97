// Forms for a request: their bytes, and what happens with objects that cannot be converted.
import { type ConversionFailure, isFailure } from '@instar/convert';
import type { KubeObject } from '@instar/machinery';
import { parseOwnBytes } from '../../wire/own-json.ts';
import type { CachedObject } from '../cached-object.ts';
import type { VersionDefinition } from '../definition.ts';
import { ConversionError } from './conversion-error.ts';
import type { ConversionWait } from './conversion-wait.ts';
import type { FormOutcome } from './form-outcome.ts';
import type { Forms } from './forms.ts';

export interface ReadOptions {
  /** Take the stored object, in whatever version it is: nothing is converted. */
  readonly asStored?: boolean;
  /**
   * Take the stored object, in whatever version it is, if it cannot be converted, or not soon: for requests
   * that only look at metadata.
   */
  readonly orStored?: boolean;
  /** Called with the reason if `orStored` applied. */
  readonly warn?: (text: string) => void;
  /** Called for each object that cannot be converted, instead of an error; its form is undefined. */
  readonly skip?: (object: CachedObject, failure: ConversionFailure) => void;
  readonly waited?: ConversionWait | undefined;
  /** When aborted, nothing further is converted. */
  readonly signal?: AbortSignal | undefined;
}

/** The forms of many objects. Throws a ConversionError for the first one that cannot be converted. */
export async function readForms(
  forms: Forms,
  objects: readonly CachedObject[],
  version: VersionDefinition,
  options: ReadOptions = {},
): Promise<Uint8Array[]> {
  const { asStored, orStored, waited, signal, skip } = options;
  const stopsAtFirst = skip === undefined && orStored !== true;
  const outcomes = await forms.outcomes(objects, version, {
    asStored,
    briefly: orStored,
    stopsAtFirst,
    waited,
    signal,
  });
  return bytesOf(forms, objects, outcomes, options);
}

function bytesOf(
  forms: Forms,
  objects: readonly CachedObject[],
  outcomes: (FormOutcome | undefined)[],
  { orStored, skip, warn }: ReadOptions,
): Uint8Array[] {
  let first: ConversionFailure | undefined;
  for (let i = 0; i < outcomes.length; i++) {
    const outcome = outcomes[i];
    if (outcome === undefined || !isFailure(outcome)) continue;
    first ??= outcome;
    skip?.(objects[i]!, outcome);
    if (orStored) outcomes[i] = forms.maker.asStored(objects[i]!);
    else outcomes[i] = undefined;
  }
  if (first !== undefined && skip === undefined) {
    const error = new ConversionError(first, { withUid: objects.length > 1 });
    if (!orStored) throw error;
    warn?.(`metadata is shown as it is stored: ${error.message}`);
  }
  return outcomes as Uint8Array[];
}

export async function readForm(
  forms: Forms,
  object: CachedObject,
  version: VersionDefinition,
  options: ReadOptions = {},
): Promise<Uint8Array> {
  const form = options.asStored ? undefined : forms.formIfPossible(object, version);
  return form ?? (await readForms(forms, [object], version, options))[0]!;
}

/** A fresh object in the requested version, for the caller to change. */
export async function readObject(
  forms: Forms,
  object: CachedObject,
  version: VersionDefinition,
  options: ReadOptions = {},
): Promise<KubeObject> {
  return parseOwnBytes(await readForm(forms, object, version, options)) as unknown as KubeObject;
}

/** The form, or undefined if it would have to be waited for. Throws a ConversionError. */
export function formNow(
  forms: Forms,
  object: CachedObject,
  version: VersionDefinition,
): Uint8Array | undefined {
  const outcome = forms.outcomeNow(object, version);
  if (outcome !== undefined && isFailure(outcome)) throw new ConversionError(outcome, { withUid: false });
  return outcome;
}
