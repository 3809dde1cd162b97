// Sentences that several formats share.
import {
  type Finding,
  isConverted,
  SEVERITIES,
  type SemverVerdict,
  type Severity,
  type Verdict,
} from '@instar/compat';
import { type CheckReport, findingsOf } from '../report.ts';

const VERDICTS: Record<Verdict, string> = {
  breaking: 'breaking',
  converted: 'breaking, but converted without loss',
  unsure: 'not decided',
  caution: 'compatible, with care',
  compatible: 'compatible',
};

/** `breaking, but converted without loss for 100 % of 12,431 objects`, where a conversion was run. */
export function verdictText({ verdict, definitions }: Pick<CheckReport, 'verdict' | 'definitions'>): string {
  const reports = definitions.flatMap(({ conversion }) => conversion ?? []);
  const total = reports.reduce((sum, one) => sum + one.total, 0);
  const lossless = reports.reduce((sum, one) => sum + one.lossless, 0);
  if (total === 0) return VERDICTS[verdict];
  const share = `${Math.floor((lossless / total) * 1000) / 10} % of ${total.toLocaleString('en')} objects`;
  if (verdict === 'converted') return `breaking, but converted without loss for ${share}`;
  return `${VERDICTS[verdict]} (the conversion carries ${share} without loss)`;
}

export function semverText({ bump, newVersions }: SemverVerdict): string {
  const needed = newVersions.map(
    ({ crd, version, next }) => `${crd} ${version} needs a new version, such as ${next}`,
  );
  return [bump === 'none' ? 'no new version number is needed' : `a ${bump} version`, ...needed].join('; ');
}

export function countText(report: Pick<CheckReport, 'definitions'>): string {
  const findings = findingsOf(report);
  const counted = findings.filter(({ excused }) => excused === undefined);
  const count = (severity: Severity): string =>
    `${counted.filter((one) => one.severity === severity).length} ${severity}`;
  const excused = findings.length - counted.length;
  return [...SEVERITIES.map(count), ...(excused > 0 ? [`${excused} excused`] : [])].join(', ');
}

/** The version that a finding is about: v1, or v1beta1 → v1. */
export function versionText({ version, toVersion }: Finding): string {
  if (version === undefined) return 'all versions';
  return toVersion === undefined ? version : `${version} → ${toVersion}`;
}

/** What a conversion that was run makes of the finding. */
export function convertedText(finding: Finding): string | undefined {
  const { converted } = finding;
  if (converted === undefined) return undefined;
  const share = `${converted.lossless.toLocaleString('en')} of ${converted.total.toLocaleString('en')} objects`;
  return isConverted(finding)
    ? `converted without loss for ${share}`
    : `converted without loss for only ${share}`;
}
