export type { AuthorizationCheck, AuthorizationDecision, Authorize } from '@instar/cel/kubernetes';
export type { ReviewRequest } from './host.ts';
export { matchConditionErrors } from './match/condition-errors.ts';
export type { MatchConditionSource } from './match/match-conditions.ts';
export type { RuleSource } from './match/rule.ts';
export type { AdmissionObserver } from './observer.ts';
export type { MatchResourcesSource } from './policy/match-resources.ts';
export { mutateByPolicies } from './policy/mutate-by-policies.ts';
export {
  type CompiledMutatingPolicy,
  compileMutatingPolicy,
  type MutatingPolicySpec,
  type MutationSource,
} from './policy/mutating-policy.ts';
export {
  type AuditAnnotationSource,
  type BindingSpec,
  type CompiledBinding,
  type CompiledPolicy,
  compileBinding,
  compilePolicy,
  type ParamKind,
  type ParamRef,
  type PolicyBase,
  type PolicySpec,
  type ValidationSource,
} from './policy/policy.ts';
export { PolicyCompiler, type VariableSource } from './policy/policy-compiler.ts';
export type { PolicyHost } from './policy/policy-host.ts';
export { NO_POLICIES, PolicySet } from './policy/policy-set.ts';
export { type CheckedKind, checkTypes } from './policy/type-check.ts';
export { validateByPolicies } from './policy/validate-by-policies.ts';
export { Reinvocation } from './reinvocation.ts';
export { type AdmissionSubject, isExempt, type ResourceMapping } from './subject.ts';
export { CallFailure } from './webhook/failures.ts';
export { mutate } from './webhook/mutate.ts';
export { validate } from './webhook/validate.ts';
export { type CompiledWebhook, compileWebhook, type WebhookSource } from './webhook/webhook.ts';
export { NO_WEBHOOKS, WebhookSet } from './webhook/webhook-set.ts';
