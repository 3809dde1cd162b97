// What was found in one definition, beside the file that it was read from.
import type { LintFinding } from '@instar/compat';

export interface LintedFile {
  readonly file: string | undefined;
  readonly findings: readonly LintFinding[];
}
