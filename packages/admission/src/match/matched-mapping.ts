// The version of the resource in which a set of rules wants to see a request: that of the request if a rule
// names it, otherwise an equivalent one.
import type { AdmissionSubject, ResourceMapping } from '../subject.ts';
import type { CompiledRule } from './rule.ts';

export type MatchPolicy = 'Exact' | 'Equivalent';

/** Undefined: the rules do not match. Rules that name objects check `name`. */
export function matchedMapping(
  rules: readonly CompiledRule[],
  policy: MatchPolicy,
  subject: Omit<AdmissionSubject, 'name'>,
  name?: string,
): ResourceMapping | undefined {
  const fits = (rule: CompiledRule, mapping: ResourceMapping): boolean =>
    (rule.names === undefined || rule.names.has(name ?? '')) &&
    rule.matches(mapping === subject ? subject : { ...subject, resource: mapping.resource });
  if (rules.some((rule) => fits(rule, subject))) return { resource: subject.resource, kind: subject.kind };
  if (policy === 'Exact') return undefined;
  // Earlier rules take precedence over earlier versions.
  for (const rule of rules) {
    const mapping = subject.equivalents.find((equivalent) => fits(rule, equivalent));
    if (mapping !== undefined) return mapping;
  }
  return undefined;
}
