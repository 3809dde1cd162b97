// Sentences that several formats share.
import {
  type Finding,
  type FoldedFinding,
  isConverted,
  SEVERITIES,
  type Section,
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
  const steps = new Map<string, string[]>();
  for (const { crd, version, next } of newVersions) {
    const step = `${version} needs a new version, such as ${next}`;
    steps.set(step, [...(steps.get(step) ?? []), crd]);
  }
  const needed = [...steps].map(([step, crds]) =>
    crds.length > 1 ? `${crds.length} definitions: ${step}` : `${crds[0]} ${step}`,
  );
  return [bump === 'none' ? 'no new version number is needed' : `a ${bump} version`, ...needed].join('; ');
}

/** `distinct`: how many changes the findings tell of. */
export function countText(report: Pick<CheckReport, 'definitions'>, distinct?: number): string {
  const findings = findingsOf(report);
  const counted = findings.filter(({ excused }) => excused === undefined);
  const count = (severity: Severity): string =>
    `${counted.filter((one) => one.severity === severity).length} ${severity}`;
  const excused = findings.length - counted.length;
  const counts = [...SEVERITIES.map(count), ...(excused > 0 ? [`${excused} excused`] : [])].join(', ');
  if (distinct === undefined) return counts;
  const of = `${plural(report.definitions.length, 'definition')}, ${plural(distinct, 'change')}`;
  return distinct === findings.length
    ? `${of}: ${counts}`
    : `${of} in ${findings.length} findings: ${counts}`;
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

export function titleOf(section: Section, { definitions }: Pick<CheckReport, 'definitions'>): string {
  switch (section) {
    case 'within versions':
      return "Within a version, where it hurts today's clients";
    case 'between versions':
      return definitions.some(({ conversion }) => conversion !== undefined)
        ? 'Between versions: the conversion loses it'
        : 'Between versions, if no conversion webhook carries it';
    case 'status':
      return 'In status, which controllers write';
    case 'cautions':
      return 'With care';
    case 'safe':
      return 'Safe';
    case 'excused':
      return 'Excused';
  }
}

/** So many changes of a section are printed without --all: a report fits on a few screens. */
export const MOST_SHOWN: Record<Section, number> = {
  'within versions': 18,
  'between versions': 6,
  status: 4,
  cautions: 6,
  safe: 0,
  excused: 0,
};

const MOST_PLACES = 3;
const MOST_NAMES = 8;

/**
 * Where a change is: if it is at one place, that stands before its message; else the name that all have in
 * common stands there, and the first places below.
 */
export function placesText(
  { first, findings, siblings }: FoldedFinding,
  all: boolean,
): { readonly where: string; readonly places: readonly string[] } {
  if (siblings !== undefined) {
    const { names, parent } = siblings;
    const shown = all ? names : names.slice(0, MOST_NAMES);
    const rest = names.length > shown.length ? `, and ${names.length - shown.length} more` : '';
    return { where: placeText({ ...first, path: parent }), places: [`${shown.join(', ')}${rest}`] };
  }
  if (findings.length === 1) return { where: placeText(first), places: [] };
  if (all) return { where: commonName(first), places: findings.map(placeText) };
  const shown = findings.slice(0, MOST_PLACES).map((one, i) => {
    const isSameKind =
      i > 0 && placeText({ ...one, path: '' }) === placeText({ ...findings[i - 1]!, path: '' });
    return isSameKind ? abridged(one.path) : placeText({ ...one, path: abridged(one.path) });
  });
  const rest = findings.length > shown.length ? `; and ${findings.length - shown.length} more` : '';
  return { where: commonName(first), places: [`at ${findings.length} places: ${shown.join('; ')}${rest}`] };
}

/** The message, with how many fields it is about. */
export function changedText({ first, siblings }: FoldedFinding): string {
  return siblings === undefined ? first.message : `${siblings.names.length} fields: ${first.message}`;
}

const placeText = (finding: Pick<Finding, 'kind' | 'version' | 'toVersion' | 'path'>): string =>
  [finding.kind, finding.version === undefined ? '' : versionText(finding), finding.path ?? '']
    .filter((part) => part !== '')
    .join(' ');

const commonName = ({ path = '' }: Finding): string => {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return name === path ? name : `….${name}`;
};

const MOST_OF_PATH = 60;

/** The middle of a long path says least. */
function abridged(path = ''): string {
  if (path.length <= MOST_OF_PATH) return path;
  const start = path.slice(0, MOST_OF_PATH / 2);
  const end = path.slice(-MOST_OF_PATH / 2);
  return `${start.slice(0, Math.max(start.lastIndexOf('.'), 1))}.…${end.slice(Math.max(end.indexOf('.'), 0))}`;
}

/** The version that a finding is about: v1, or v1beta1 → v1. */
export function versionText({ version, toVersion }: Pick<Finding, 'version' | 'toVersion'>): string {
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
