// The verdict of all findings, in one word.
import type { Finding } from './finding.ts';

/** converted: something breaks, but the conversion that was run loses nothing. */
export type Verdict = 'breaking' | 'converted' | 'unsure' | 'caution' | 'compatible';

/** Findings that are excused do not count. */
export function verdictOf(findings: readonly Finding[]): Verdict {
  const counted = findings.filter(({ excused }) => excused === undefined);
  const remaining = counted.filter((finding) => !isConverted(finding));
  if (remaining.some(({ severity }) => severity === 'breaking')) return 'breaking';
  if (remaining.some(({ severity }) => severity === 'unsure')) return 'unsure';
  if (remaining.length < counted.length) return 'converted';
  return counted.some(({ severity }) => severity === 'caution') ? 'caution' : 'compatible';
}

/** The conversion of every object that was tried was lossless. */
export function isConverted({ converted }: Finding): boolean {
  return converted !== undefined && converted.total > 0 && converted.lossless === converted.total;
}
