// Many findings often tell of one change: a pod template that several fields share, the same limit in every
// version, all the fields of an object that was removed. Folded, each change is one entry with its places.
import { compareSeverity, type Finding } from './finding.ts';
import { isConverted } from './verdict.ts';

/** One change, and every place where it was found. */
export interface FoldedFinding {
  /** The first of them: what the others say, too. */
  readonly first: Finding;
  readonly findings: readonly Finding[];
  /** If several fields of one object changed alike: the names of the fields, and where the object is. */
  readonly siblings?: { readonly names: readonly string[]; readonly parent: string };
}

/**
 * Whom a change hurts, and when. within versions: clients that are correct today. between versions: what a
 * conversion must carry. status: what only controllers write.
 */
export type Section = 'within versions' | 'between versions' | 'status' | 'cautions' | 'safe' | 'excused';

/** In the order in which they matter. */
export const SECTIONS: readonly Section[] = [
  'within versions',
  'between versions',
  'status',
  'cautions',
  'safe',
  'excused',
];

/** Where a report tells of a finding. */
export function sectionOf(finding: Finding): Section {
  const { severity, toVersion, scope, path = '', excused } = finding;
  if (excused !== undefined) return 'excused';
  if (severity === 'safe') return 'safe';
  if (severity === 'caution' || isConverted(finding)) return 'cautions';
  if (path === 'status' || path.startsWith('status.')) return 'status';
  return toVersion !== undefined || scope === 'served-versions' ? 'between versions' : 'within versions';
}

/** More fields of one object than this that changed alike are one entry. */
const MAX_SIBLINGS = 3;

/** Each change once, worst first; what changed at more places comes first among equals. */
export function foldFindings(findings: readonly Finding[]): FoldedFinding[] {
  const changes = [...groupedBy(findings, changeOf).values()].map(folded);
  return siblingsTogether(changes).sort(
    (a, b) =>
      SECTIONS.indexOf(sectionOf(a.first)) - SECTIONS.indexOf(sectionOf(b.first)) ||
      compareSeverity(a.first.severity, b.first.severity) ||
      b.findings.length - a.findings.length,
  );
}

const folded = (findings: readonly Finding[]): FoldedFinding => ({ first: findings[0]!, findings });

function changeOf(finding: Finding): string {
  return [sectionOf(finding), alikeOf(finding), nameOf(finding.path)].join('\n');
}

/** What findings about several fields of one object have in common. */
function alikeOf({ rule, severity, message, breaks }: Finding): string {
  return [rule, severity, message.replace(BELOW, ''), breaks.join()].join('\n');
}

const BELOW = /, with \d+ fields? below it/;

function siblingsTogether(changes: readonly FoldedFinding[]): FoldedFinding[] {
  const families = groupedBy(changes, ({ first }) =>
    [sectionOf(first), alikeOf(first), first.crd, first.version, first.toVersion, parentOf(first.path)].join(
      '\n',
    ),
  );
  return [...families.values()].flatMap((family): FoldedFinding[] => {
    if (family.length <= MAX_SIBLINGS) return family;
    const findings = family.flatMap((change) => change.findings);
    const names = family.map(({ first }) => nameOf(first.path));
    return [
      { first: family[0]!.first, findings, siblings: { names, parent: parentOf(family[0]!.first.path) } },
    ];
  });
}

/** The last segment of a path: name of spec.items[*].name, items[*] of spec.items[*]. */
const nameOf = (path = ''): string => path.slice(path.lastIndexOf('.') + 1);
const parentOf = (path = ''): string => path.slice(0, Math.max(0, path.lastIndexOf('.')));

function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
