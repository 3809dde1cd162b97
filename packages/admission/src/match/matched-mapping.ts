// In which version of the resource a set of rules wants to see a request: that of the request if a rule names
// it, otherwise an equivalent one.
import type { AdmissionSubject, ResourceMapping } from '../subject.ts';
import type { CompiledRule } from './rule.ts';

export type MatchPolicy = 'Exact' | 'Equivalent';

/** Undefined: the rules are not about this request. Rules that name objects look at `name`. */
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
  // Earlier rules go before earlier versions.
  for (const rule of rules) {
    const mapping = subject.equivalents.find((equivalent) => fits(rule, equivalent));
    if (mapping !== undefined) return mapping;
  }
  return undefined;
}
