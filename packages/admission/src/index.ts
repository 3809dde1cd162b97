export type { AuthorizationCheck, AuthorizationDecision, Authorize } from '@instar/cel/kubernetes';
export type { ReviewRequest } from './host.ts';
export { matchConditionErrors } from './match/condition-errors.ts';
export type { MatchConditionSource } from './match/match-conditions.ts';
export type { RuleSource } from './match/rule.ts';
export type { AdmissionObserver } from './observer.ts';
export type { MatchResourcesSource } from './policy/match-resources.ts';
export {
  type AuditAnnotationSource,
  type BindingSpec,
  compileBinding,
  compilePolicy,
  type ParamKind,
  type ParamRef,
  type PolicySpec,
  type ValidationSource,
} from './policy/policy.ts';
export { PolicyCompiler, type VariableSource } from './policy/policy-compiler.ts';
export { NO_POLICIES, PolicySet } from './policy/policy-set.ts';
export { type CheckedKind, checkTypes } from './policy/type-check.ts';
export { type PolicyHost, validateByPolicies } from './policy/validate-by-policies.ts';
export { type AdmissionSubject, isExempt, type ResourceMapping } from './subject.ts';
export { CallFailure } from './webhook/failures.ts';
export { mutate } from './webhook/mutate.ts';
export { validate } from './webhook/validate.ts';
export { type CompiledWebhook, compileWebhook, type WebhookSource } from './webhook/webhook.ts';
export { NO_WEBHOOKS, WebhookSet } from './webhook/webhook-set.ts';
