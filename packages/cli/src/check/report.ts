// The result of `instar check`, as every format prints it.
import type {
  Bump,
  ConversionReport,
  Exception,
  ExecutedVersion,
  Finding,
  ObjectsReport,
  SemverVerdict,
  Verdict,
} from '@instar/compat';

export interface CheckedDefinition {
  readonly crd: string;
  readonly kind: string;
  /** Where the new definition is. */
  readonly file?: string;
  readonly findings: readonly Finding[];
  readonly verdict: Verdict;
  readonly semver: SemverVerdict;
  /** The rule of backwards compatibility, run on generated objects. */
  readonly executed: readonly ExecutedVersion[];
  readonly objects?: Omit<ObjectsReport, 'findings'>;
  readonly conversion?: ConversionReport;
}

export interface CheckReport {
  readonly old: string;
  readonly new: string;
  readonly definitions: readonly CheckedDefinition[];
  readonly verdict: Verdict;
  readonly semver: SemverVerdict;
  readonly expected?: Bump;
  readonly asExpected: boolean;
  readonly failed: boolean;
  readonly warnings: readonly string[];
  readonly unusedExceptions: readonly Exception[];
  readonly expiredExceptions: readonly Exception[];
}

export const findingsOf = ({ definitions }: Pick<CheckReport, 'definitions'>): Finding[] =>
  definitions.flatMap(({ findings }) => findings);
