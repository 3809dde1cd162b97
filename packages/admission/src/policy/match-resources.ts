// MatchResources of policies and bindings: rules, exceptions from them, and selectors.
import type { KubeObject, LabelSelectorObject } from '@instar/machinery';
import { type MatchPolicy, matchedMapping } from '../match/matched-mapping.ts';
import { type CompiledRule, compileRule, type Rule } from '../match/rule.ts';
import { compileSelectors, isSelected, type NamespaceLabels, type Selectors } from '../match/selectors.ts';
import type { AdmissionSubject, ResourceMapping } from '../subject.ts';

export interface MatchResourcesSource {
  readonly namespaceSelector?: LabelSelectorObject;
  readonly objectSelector?: LabelSelectorObject;
  readonly resourceRules?: readonly Rule[] | null;
  readonly excludeResourceRules?: readonly Rule[] | null;
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

/** Where the request is matched, if it is. Rejects if a selector cannot tell. */
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
