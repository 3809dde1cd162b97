// Where in an object a value is explained, and what is to be made of it.
import type { Correlation } from '../ratchet/correlation.ts';

export interface ValidationContext {
  /** The path from where validation began, as upstream's texts name it. */
  readonly name: string;
  /** The old value that belongs to this one, if errors in what did not change are to be forgiven. */
  readonly correlation?: Correlation | undefined;
  /** Whether the number of checks that held matters: it does inside anyOf and oneOf. */
  readonly counting: boolean;
}
