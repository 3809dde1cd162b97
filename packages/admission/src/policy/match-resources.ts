// MatchResources of policies and bindings: rules, exclusions, and selectors.
import type { KubeObject, LabelSelectorObject } from '@instar/machinery';
import { type MatchPolicy, matchedMapping } from '../match/matched-mapping.ts';
import { type CompiledRule, compileRule, type RuleSource } from '../match/rule.ts';
import { compileSelectors, isSelected, type NamespaceLabels, type Selectors } from '../match/selectors.ts';
import type { AdmissionSubject, ResourceMapping } from '../subject.ts';

/** `matchConstraints` of a policy or `matchResources` of a binding. */
export interface MatchResourcesSource {
  readonly namespaceSelector?: LabelSelectorObject;
  readonly objectSelector?: LabelSelectorObject;
  readonly resourceRules?: readonly RuleSource[] | null;
  readonly excludeResourceRules?: readonly RuleSource[] | null;
  readonly matchPolicy?: string;
}

export interface CompiledMatch {
  readonly rules: readonly CompiledRule[];
  readonly excluded: readonly CompiledRule[];
  readonly selectors: Selectors;
  readonly policy: MatchPolicy;
}

export function compileMatch(source: MatchResourcesSource): CompiledMatch {
  return {
    rules: (source.resourceRules ?? []).map(compileRule),
    excluded: (source.excludeResourceRules ?? []).map(compileRule),
    selectors: compileSelectors(source),
    policy: source.matchPolicy === 'Exact' ? 'Exact' : 'Equivalent',
  };
}

/** The mapping in which the request matches, if it does. Rejects if a selector fails. */
export async function matchResources(
  { rules, excluded, selectors, policy }: CompiledMatch,
  subject: AdmissionSubject,
  object: KubeObject | undefined,
  labelsOf: NamespaceLabels,
): Promise<ResourceMapping | undefined> {
  if (matchedMapping(excluded, policy, subject, subject.name) !== undefined) return undefined;
  const mapping = rules.length === 0 ? subject : matchedMapping(rules, policy, subject, subject.name);
  if (mapping === undefined) return undefined;
  return (await isSelected(selectors, subject, object, labelsOf)) ? mapping : undefined;
}
