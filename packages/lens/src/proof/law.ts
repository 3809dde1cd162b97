// A law, and what it says about some objects.
import type { JsonObject } from '@instar/machinery';
import type { Difference } from './difference.ts';
import type { Edit } from './edit/edit.ts';
import type { Trial } from './trial.ts';

/** The names of the laws. */
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

/** How a conversion broke a law. */
export interface Violation {
  /** Which of the objects; the first, if it is of all of them. */
  readonly index: number;
  readonly message: string;
  readonly differences: readonly Difference[];
  /** The edit that did not survive. */
  readonly edit?: Edit;
  /** Intermediate objects, by what they are. */
  readonly shown?: readonly Shown[];
}

interface Shown {
  readonly title: string;
  readonly object: JsonObject;
}

/** `checked` objects were judged; a law that does not apply says why. */
export interface LawVerdict {
  readonly violation?: Violation;
  readonly checked: number;
  readonly notApplicable?: string;
}

export interface Law {
  readonly name: LawName;
  /** A sentence that is true if the law holds. */
  readonly title: string;
  check(trial: Trial): Promise<LawVerdict>;
}

export const HELD = (checked: number): LawVerdict => ({ checked });
export const UNASKED: LawVerdict = { checked: 0 };
export const broken = (violation: Violation): LawVerdict => ({ violation, checked: violation.index + 1 });
