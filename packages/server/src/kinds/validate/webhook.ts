// The webhooks of a configuration. CEL conditions are compiled as the admission chain does.
import { type MatchConditionSource, matchConditionErrors } from '@instar/admission';
import { validateDns1035Label, validateDns1123Subdomain } from '@instar/go';
import {
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  type LabelSelectorObject,
  validateLabelSelectorObject,
  validateWebhookClient,
  type WebhookClientConfig,
} from '@instar/machinery';
import { validateWebhookRule, type WebhookRule } from './webhook-rule.ts';

export interface Webhook {
  name: string;
  clientConfig: WebhookClientConfig;
  rules?: WebhookRule[];
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: LabelSelectorObject;
  objectSelector?: LabelSelectorObject;
  sideEffects?: string;
  timeoutSeconds?: number;
  admissionReviewVersions?: string[] | null;
  matchConditions?: MatchConditionSource[];
  reinvocationPolicy?: string;
}

/** What an update need not satisfy because the old object did not either. */
interface Leniency {
  readonly sideEffects: boolean;
  readonly reviewVersions: boolean;
  readonly sameNames: boolean;
  readonly matchConditions: boolean;
  readonly selectors: boolean;
}

const STRICT: Leniency = {
  sideEffects: false,
  reviewVersions: false,
  sameNames: false,
  matchConditions: false,
  selectors: false,
};
const NO_SIDE_EFFECTS = ['None', 'NoneOnDryRun'];
const ALL_SIDE_EFFECTS = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];
const REVIEW_VERSIONS = ['v1', 'v1beta1'];
const WEBHOOKS = FieldPath.of('webhooks');

/** v1beta1 never required that webhooks have no side effects and unique names. */
export function validateWebhooks(
  webhooks: readonly Webhook[],
  old: readonly Webhook[] | undefined,
  version: 'v1' | 'v1beta1',
): FieldError[] {
  const kept = old === undefined ? STRICT : leniencyOf(webhooks, old);
  const leniency = version === 'v1beta1' ? { ...kept, sideEffects: true, sameNames: true } : kept;
  const names = new Set<string>();
  return webhooks.flatMap((webhook, index) => {
    const path = WEBHOOKS.index(index);
    const errors = validateWebhook(webhook, path, leniency);
    if (!leniency.sameNames && webhook.name !== '' && names.has(webhook.name))
      errors.push(fieldErrors.duplicate(path.child('name'), webhook.name));
    names.add(webhook.name);
    return errors;
  });
}

function leniencyOf(webhooks: readonly Webhook[], old: readonly Webhook[]): Leniency {
  return {
    sideEffects: old.some(
      ({ sideEffects }) => sideEffects === undefined || !NO_SIDE_EFFECTS.includes(sideEffects),
    ),
    reviewVersions: old.some(
      ({ admissionReviewVersions: v }) =>
        v != null && v.length > 0 && !v.some((name) => REVIEW_VERSIONS.includes(name)),
    ),
    sameNames: new Set(old.map(({ name }) => name)).size < old.length,
    matchConditions:
      webhooks.length === old.length &&
      old.every((webhook, index) => sameConditions(webhook, webhooks[index]!)),
    selectors: old.some((webhook) => validateSelectors(webhook, FieldPath.root).length > 0),
  };
}

const sameConditions = (a: Webhook, b: Webhook): boolean =>
  deepEqual(a.matchConditions as never, b.matchConditions as never);

function validateWebhook(webhook: Webhook, path: FieldPath, leniency: Leniency): FieldError[] {
  const { failurePolicy, matchPolicy, timeoutSeconds: timeout, reinvocationPolicy } = webhook;
  const errors = validateWebhookName(webhook.name, path.child('name'));
  webhook.rules?.forEach((rule, index) => {
    errors.push(...validateWebhookRule(rule, path.child('rules').index(index)));
  });
  errors.push(
    ...oneOf(failurePolicy, ['Fail', 'Ignore'], path.child('failurePolicy')),
    ...oneOf(matchPolicy, ['Equivalent', 'Exact'], path.child('matchPolicy')),
    ...validateSideEffects(
      webhook.sideEffects,
      leniency.sideEffects ? ALL_SIDE_EFFECTS : NO_SIDE_EFFECTS,
      path.child('sideEffects'),
    ),
  );
  if (timeout !== undefined && (timeout < 1 || timeout > 30)) {
    errors.push(
      fieldErrors.invalid(
        path.child('timeoutSeconds'),
        timeout,
        'the timeout value must be between 1 and 30 seconds',
      ),
    );
  }
  if (!leniency.selectors) errors.push(...validateSelectors(webhook, path));
  errors.push(...oneOf(reinvocationPolicy, ['IfNeeded', 'Never'], path.child('reinvocationPolicy')));
  errors.push(...validateWebhookClient(webhook.clientConfig, path.child('clientConfig')));
  if (!leniency.matchConditions)
    errors.push(...matchConditionErrors(webhook.matchConditions ?? [], path.child('matchConditions')));
  return [
    ...errors,
    ...validateReviewVersions(
      webhook.admissionReviewVersions ?? [],
      leniency,
      path.child('admissionReviewVersions'),
    ),
  ];
}

const oneOf = (value: string | undefined, supported: string[], path: FieldPath): FieldError[] =>
  value === undefined || supported.includes(value) ? [] : [fieldErrors.notSupported(path, value, supported)];

function validateWebhookName(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [fieldErrors.required(path)];
  const reasons = validateDns1123Subdomain(name);
  if (reasons.length > 0) return [fieldErrors.invalid(path, name, reasons.join(','))];
  if (name.split('.').length >= 3) return [];
  return [
    fieldErrors.invalid(path, name, 'should be a domain with at least three segments separated by dots'),
  ];
}

function validateSideEffects(value: string | undefined, allowed: string[], path: FieldPath): FieldError[] {
  if (value === undefined) return [fieldErrors.required(path, `must specify one of ${allowed.join(', ')}`)];
  return oneOf(value, allowed, path);
}

function validateSelectors({ namespaceSelector, objectSelector }: Webhook, path: FieldPath): FieldError[] {
  return [
    ...validateLabelSelectorObject(namespaceSelector, path.child('namespaceSelector')),
    ...validateLabelSelectorObject(objectSelector, path.child('objectSelector')),
  ];
}

function validateReviewVersions(versions: string[], leniency: Leniency, path: FieldPath): FieldError[] {
  if (versions.length === 0)
    return [fieldErrors.required(path, `must specify one of ${REVIEW_VERSIONS.join(', ')}`)];
  const errors: FieldError[] = versions.flatMap((version, index) => {
    if (versions.indexOf(version) < index)
      return [fieldErrors.invalid(path.index(index), version, 'duplicate version')];
    return validateDns1035Label(version).map((reason) =>
      fieldErrors.invalid(path.index(index), version, reason),
    );
  });
  if (leniency.reviewVersions || versions.some((version) => REVIEW_VERSIONS.includes(version))) return errors;
  return [
    ...errors,
    fieldErrors.invalid(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`),
  ];
}
