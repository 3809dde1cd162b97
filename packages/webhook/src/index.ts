// The webhook kit: an admission function or a conversion becomes a webhook that any Kubernetes API server can
// call.
export { type AdmissionOptions, admission } from './admission/admission.ts';
export {
  type ImmutabilityRule,
  type ImmutableFieldOptions,
  immutableField,
} from './admission/immutable-field.ts';
export { denial, type RatchetOptions, ratchet, type StrictValidator } from './admission/ratchet.ts';
export type { AdmissionFunction, CallContext, TypedAdmissionRequest } from './admission/request.ts';
export {
  type AdmissionVerdict,
  type AllowedVerdict,
  allow,
  type DeniedVerdict,
  type DenyOptions,
  deny,
  type PatchedVerdict,
  patch,
} from './admission/verdict.ts';
export { type AnsweredReview, answerReview } from './answer-review.ts';
export { type ConversionOptions, conversion } from './conversion/conversion.ts';
export type {
  ConversionDefinition,
  ConvertContext,
  ConvertFunction,
  ConvertFunctions,
  LensConverter,
} from './conversion/definition.ts';
export type {
  CertificateApi,
  FilesTls,
  HostLimits,
  HostOptions,
  InjectionTarget,
  Lifetimes,
  SelfManagedTls,
  WebhookHost,
} from './options.ts';
export type {
  AdmissionWebhook,
  ConversionCount,
  ReviewAnswer,
  ReviewCall,
  ReviewOutcome,
  TextAnswer,
  Webhook,
} from './review/webhook.ts';
export { serveWebhooks } from './serve-webhooks.ts';
