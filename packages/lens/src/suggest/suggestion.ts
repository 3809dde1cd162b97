// One operation that is proposed, and how sure that is.
import type { LensOp } from '../document.ts';

/** A suggested operation, with how sure it is. */
export interface Suggestion {
  readonly op: LensOp;
  /** From 0 to 1. */
  readonly confidence: number;
  readonly why: string;
}

/** Below this it needs review. */
export const SURE = 0.75;
