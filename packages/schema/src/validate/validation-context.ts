// The location of a value that is explained, and how.
import type { Correlation } from '../ratchet/correlation.ts';

export interface ValidationContext {
  /** The path from where validation began, as upstream's texts print it. */
  readonly name: string;
  /** The correlated old value, if errors of unchanged values are to be ratcheted. */
  readonly correlation?: Correlation | undefined;
  /** Whether the number of checks that hold is needed, as inside anyOf and oneOf. */
  readonly counting: boolean;
}
