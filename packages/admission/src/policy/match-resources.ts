// MatchResources of policies and bindings: rules, exceptions from them, and selectors.
import type { KubeObject, LabelSelectorObject } from '@instar/machinery';
import { type MatchPolicy, matchedPlace } from '../match/matched-place.ts';
import { type CompiledRule, compileRule, type Rule } from '../match/rule.ts';
import { compileSelectors, isSelected, type NamespaceLabels, type Selectors } from '../match/selectors.ts';
import type { AdmissionSubject, Place } from '../subject.ts';

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
export async function placeIn(
  { rules, excluded, selectors, policy }: CompiledMatch,
  subject: AdmissionSubject,
  object: KubeObject | undefined,
  labelsOf: NamespaceLabels,
): Promise<Place | undefined> {
  if (matchedPlace(excluded, policy, subject, subject.name) !== undefined) return undefined;
  const place = rules.length === 0 ? subject : matchedPlace(rules, policy, subject, subject.name);
  if (place === undefined) return undefined;
  return (await isSelected(selectors, subject, object, labelsOf)) ? place : undefined;
}
