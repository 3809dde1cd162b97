// Findings that were reviewed and accepted: a file says which, why and until when. And the baseline: findings
// that existed before.
import { isJsonObject, type JsonValue } from '@instar/machinery';
import { type Finding, identityOf } from './finding.ts';

/** An entry of an exceptions file: a finding that is accepted, and why. */
export interface Exception {
  readonly rule: string;
  /** The name of a CRD; absent: any. */
  readonly crd?: string;
  readonly version?: string;
  /** Of the field; a trailing * matches everything below. Absent: any. */
  readonly path?: string;
  readonly reason: string;
  /** The last day on which it applies: YYYY-MM-DD. */
  readonly expires?: string;
}

/** A parsed exceptions file, with its errors. */
export interface ParsedExceptions {
  readonly exceptions: readonly Exception[];
  /** Paths of enums that the project declares open for new values; * is all. */
  readonly openEnums: readonly string[];
  /** The errors in the file: each with its path. */
  readonly problems: readonly string[];
}

const FIELDS = ['rule', 'crd', 'version', 'path', 'reason', 'expires'];

/** `exceptions:` in a YAML file, a list of which every one must give a reason, and `openEnums:`, paths. */
export function parseExceptions(value: JsonValue, isRule: (id: string) => boolean): ParsedExceptions {
  const { exceptions, openEnums = [] } = isJsonObject(value) ? value : {};
  const list = exceptions ?? (isJsonObject(value) && value['openEnums'] !== undefined ? [] : undefined);
  if (!Array.isArray(list))
    return { exceptions: [], openEnums: [], problems: ['exceptions: must be a list'] };
  if (!Array.isArray(openEnums) || !openEnums.every((path) => typeof path === 'string'))
    return { exceptions: [], openEnums: [], problems: ['openEnums: must be a list of paths'] };
  const problems = list.flatMap((one, index) =>
    problemsOf(one, isRule).map((problem) => `exceptions[${index}]${problem}`),
  );
  return { exceptions: problems.length > 0 ? [] : (list as unknown as Exception[]), openEnums, problems };
}

function problemsOf(one: JsonValue, isRule: (id: string) => boolean): string[] {
  if (!isJsonObject(one)) return [': must be an object with rule and reason'];
  const wrong = Object.keys(one).flatMap((key) =>
    !FIELDS.includes(key)
      ? [`.${key}: unknown field`]
      : typeof one[key] === 'string'
        ? []
        : [`.${key}: must be a string`],
  );
  if (typeof one['rule'] === 'string' && !isRule(one['rule']))
    wrong.push(`.rule: there is no rule ${one['rule']}`);
  for (const field of ['rule', 'reason'])
    if (one[field] === undefined || one[field] === '') wrong.push(`.${field}: required`);
  if (typeof one['expires'] === 'string' && Number.isNaN(dateOf(one['expires'])))
    wrong.push('.expires: must be a date, YYYY-MM-DD');
  return wrong;
}

const dateOf = (text: string): number =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T23:59:59Z`) : Number.NaN;

/** What an exception can be about: a finding of check, or of lint. */
interface Excusable {
  readonly rule: string;
  readonly severity: string;
  readonly crd: string;
  readonly version?: string | undefined;
  readonly path?: string | undefined;
  readonly excused?: string;
}

/** Findings after exceptions were applied, and the exceptions that are not needed. */
export interface Excused<F extends Excusable = Finding> {
  readonly findings: readonly F[];
  /** Exceptions that match nothing, and expired ones: both should be removed. */
  readonly unused: readonly Exception[];
  readonly expired: readonly Exception[];
}

/** `now` in milliseconds, as Date.now(). */
export function applyExceptions<F extends Excusable>(
  findings: readonly F[],
  exceptions: readonly Exception[],
  now: number,
): Excused<F> {
  const expired = exceptions.filter(({ expires }) => expires !== undefined && dateOf(expires) < now);
  const valid = exceptions.filter((one) => !expired.includes(one));
  const used = new Set<Exception>();
  const excused = findings.map((finding) => {
    const found = finding.severity === 'safe' ? undefined : valid.find((one) => matches(one, finding));
    if (found === undefined) return finding;
    used.add(found);
    return {
      ...finding,
      excused: found.expires === undefined ? found.reason : `${found.reason} (until ${found.expires})`,
    };
  });
  return { findings: excused, unused: valid.filter((one) => !used.has(one)), expired };
}

function matches({ rule, crd, version, path }: Exception, finding: Excusable): boolean {
  if (
    rule !== finding.rule ||
    (crd ?? finding.crd) !== finding.crd ||
    (version ?? finding.version) !== finding.version
  )
    return false;
  if (path === undefined) return true;
  const where = finding.path ?? '';
  return path.endsWith('*') && !path.endsWith('[*]') ? where.startsWith(path.slice(0, -1)) : path === where;
}

/** What a baseline file holds: the identities of everything that is not safe. */
export function baselineOf(findings: readonly Finding[]): string[] {
  return [...new Set(findings.filter(({ severity }) => severity !== 'safe').map(identityOf))].sort();
}

/** Marks the findings that a baseline already has. */
export function applyBaseline(findings: readonly Finding[], baseline: readonly string[]): Finding[] {
  const known = new Set(baseline);
  return findings.map((finding) =>
    finding.severity !== 'safe' && known.has(identityOf(finding))
      ? { ...finding, excused: 'in the baseline' }
      : finding,
  );
}
