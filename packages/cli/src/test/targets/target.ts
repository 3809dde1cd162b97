// The conversion under test.
import type { ConvertFunction } from '@instar/lens/proof';

export interface Target {
  /** As in "the lens crontab.yaml". */
  readonly description: string;
  readonly convert: ConvertFunction;
  /** Whether it gets the objects themselves, and could change them. */
  readonly isInProcess: boolean;
  close(): void;
}
