// What a check finds: one difference between two definitions, how bad it is, whom it breaks and what to do
// instead.

/**
 * breaking: a client that was correct before is broken now. unsure: it may be, and the check cannot decide.
 * caution: harmless for most, but it cannot be undone or some clients notice. safe: no client is broken.
 */
export type Severity = 'breaking' | 'unsure' | 'caution' | 'safe';

/** All severities, worst first. */
export const SEVERITIES: readonly Severity[] = ['breaking', 'unsure', 'caution', 'safe'];

/** Worst first. */
export const compareSeverity = (a: Severity, b: Severity): number =>
  SEVERITIES.indexOf(a) - SEVERITIES.indexOf(b);

/**
 * Writers create and update objects, readers act on them, appliers use server-side apply; operators look
 * after clusters.
 */
export type Audience = 'writers' | 'readers' | 'appliers' | 'stored objects' | 'operators';

/**
 * definition: the CRD as a whole. same-version: a version before and after. served-versions: two versions of
 * the new CRD that are served side by side. objects: given objects against the new schema. executed: the rule
 * of backwards compatibility, run on generated objects.
 */
export type Scope = 'definition' | 'same-version' | 'served-versions' | 'objects' | 'executed';

/** A value, printed as JSON or text, that shows the problem. */
export interface Evidence {
  readonly text: string;
}

/** One statement of the checker about a change. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  readonly scope: Scope;
  /** The name of the CRD: widgets.foomake.io. */
  readonly crd: string;
  readonly kind: string;
  /** Absent for what concerns all versions. Of two served versions, the older. */
  readonly version?: string;
  /** Of two served versions, the newer. */
  readonly toVersion?: string;
  /** As in spec.rules[*].name; .* is any key of a map. */
  readonly path?: string;
  readonly message: string;
  readonly breaks: readonly Audience[];
  readonly instead?: string;
  readonly evidence?: readonly Evidence[];
  /**
   * The change drops the resource, or makes it another one altogether: a new major version by the guidelines.
   */
  readonly fundamental?: boolean;
  /** Distinguishes the findings of one rule at one path. */
  readonly key?: string;
  /**
   * Set if a conversion between the two versions was run: how many of the objects were converted there and
   * back without loss.
   */
  readonly converted?: { readonly lossless: number; readonly total: number };
  /** In the file of the new definition, if it was read from one. */
  readonly line?: number;
  /** Filled in by exceptions and baselines: why this finding does not count. */
  readonly excused?: string;
}

/** The same finding in two runs has the same identity, even if its message differs. */
export function identityOf({
  crd,
  scope,
  version = '',
  toVersion = '',
  path = '',
  rule,
  key,
}: Finding): string {
  const parts = [crd, scope, toVersion === '' ? version : `${version}→${toVersion}`, path, rule];
  return [...parts, ...(key === undefined ? [] : [key])].join('|');
}
