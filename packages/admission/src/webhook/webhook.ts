// One webhook of a configuration, compiled: what it matches, and how it is called.
import type { LabelSelectorObject, WebhookClientConfig } from '@instar/machinery';
import {
  compileMatchConditions,
  type MatchConditionSource,
  type MatchConditions,
} from '../match/match-conditions.ts';
import type { MatchPolicy } from '../match/matched-mapping.ts';
import { type CompiledRule, compileRule, type RuleSource } from '../match/rule.ts';
import { compileSelectors, type Selectors } from '../match/selectors.ts';

/** As in a ValidatingWebhookConfiguration or MutatingWebhookConfiguration of v1, with defaults. */
export interface WebhookSource {
  readonly name: string;
  readonly clientConfig: WebhookClientConfig;
  readonly rules?: readonly RuleSource[] | null;
  readonly failurePolicy?: string;
  readonly matchPolicy?: string;
  readonly namespaceSelector?: LabelSelectorObject;
  readonly objectSelector?: LabelSelectorObject;
  readonly sideEffects?: string;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[] | null;
  readonly matchConditions?: readonly MatchConditionSource[] | null;
  readonly reinvocationPolicy?: string;
}

export type ReviewVersion = 'admission.k8s.io/v1' | 'admission.k8s.io/v1beta1';

/** A webhook of a configuration, with its rules and selectors parsed. */
export interface CompiledWebhook {
  readonly name: string;
  readonly configuration: string;
  /** Unique over all configurations. */
  readonly id: string;
  readonly clientConfig: WebhookClientConfig;
  readonly rules: readonly CompiledRule[];
  readonly matchPolicy: MatchPolicy;
  readonly selectors: Selectors;
  readonly matchConditions: MatchConditions;
  readonly ignoresFailures: boolean;
  /** False for webhooks that may have side effects in dry runs. */
  readonly allowsDryRun: boolean;
  readonly timeoutMs: number;
  /** The first that both sides support; undefined if there is none. */
  readonly reviewVersion: ReviewVersion | undefined;
  readonly reinvokes: boolean;
}

const REVIEW_VERSIONS: ReadonlyMap<string, ReviewVersion> = new Map([
  ['v1', 'admission.k8s.io/v1'],
  ['v1beta1', 'admission.k8s.io/v1beta1'],
]);

/** Compiles one webhook of a configuration. */
export function compileWebhook(configuration: string, index: number, source: WebhookSource): CompiledWebhook {
  const { name, sideEffects, timeoutSeconds = 10 } = source;
  const known = (source.admissionReviewVersions ?? []).find((version) => REVIEW_VERSIONS.has(version));
  return {
    name,
    configuration,
    id: `${configuration}/${name}/${index}`,
    clientConfig: source.clientConfig,
    rules: (source.rules ?? []).map(compileRule),
    matchPolicy: source.matchPolicy === 'Exact' ? 'Exact' : 'Equivalent',
    selectors: compileSelectors(source),
    matchConditions: compileMatchConditions(source.matchConditions),
    ignoresFailures: source.failurePolicy === 'Ignore',
    allowsDryRun: sideEffects === 'None' || sideEffects === 'NoneOnDryRun',
    timeoutMs: timeoutSeconds * 1000,
    reviewVersion: known === undefined ? undefined : REVIEW_VERSIONS.get(known),
    reinvokes: source.reinvocationPolicy === 'IfNeeded',
  };
}
