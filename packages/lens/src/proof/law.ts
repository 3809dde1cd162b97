// What a law is, and what it says of some objects.
import type { JsonObject } from '@instar/machinery';
import type { Difference } from './difference.ts';
import type { Edit } from './edit/edit.ts';
import type { Trial } from './trial.ts';

export type LawName =
  | 'converts'
  | 'order'
  | 'input-untouched'
  | 'metadata'
  | 'valid-output'
  | 'same-version'
  | 'determinism'
  | 'round-trip'
  | 'edit';

export interface Violation {
  /** Which of the objects; the first, if it is of all of them. */
  readonly index: number;
  readonly message: string;
  readonly differences: readonly Difference[];
  /** The edit that did not survive. */
  readonly edit?: Edit;
  /** Objects on the way, by what they are. */
  readonly shown?: readonly Shown[];
}

export interface Shown {
  readonly title: string;
  readonly object: JsonObject;
}

/** `checked` objects were judged; a law that cannot be asked here says why. */
export interface Verdict {
  readonly violation?: Violation;
  readonly checked: number;
  readonly notApplicable?: string;
}

export interface Law {
  readonly name: LawName;
  /** A sentence that is true if the law holds. */
  readonly title: string;
  check(trial: Trial): Promise<Verdict>;
}

export const HELD = (checked: number): Verdict => ({ checked });
export const UNASKED: Verdict = { checked: 0 };
export const broken = (violation: Violation): Verdict => ({ violation, checked: violation.index + 1 });
