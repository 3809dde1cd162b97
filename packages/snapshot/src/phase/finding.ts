// One thing that is to be known about a cluster on its way through the phases.

/**
 * `ok` is as it should be, `caution` is for the reader to weigh, `wait` gets better by itself, `blocked`
 * needs someone to act.
 */
export type FindingLevel = 'ok' | 'caution' | 'wait' | 'blocked';

export interface Finding {
  readonly level: FindingLevel;
  readonly text: string;
  /** What to do about it. */
  readonly todo?: string;
  readonly examples?: readonly string[];
}

/** 0: not begun. */
export type Phase = 0 | 1 | 2 | 3;
