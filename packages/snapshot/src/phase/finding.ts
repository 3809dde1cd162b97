// One fact to know about a cluster on its way through the phases.

/**
 * `ok`: as it should be; `caution`: for the reader to weigh; `wait`: gets better by itself; `blocked`: needs
 * action.
 */
export type FindingLevel = 'ok' | 'caution' | 'wait' | 'blocked';

export interface PhaseFinding {
  readonly level: FindingLevel;
  readonly text: string;
  /** What to do about it. */
  readonly todo?: string;
  readonly examples?: readonly string[];
}

/** 0: not begun. */
export type Phase = 0 | 1 | 2 | 3;
