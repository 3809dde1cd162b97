export {
  type AsyncConverter,
  type ConversionOutcome,
  type Converter,
  type ConvertOptions,
  convertAll,
  type ImmediateConverter,
  outcomeNow,
  RELABEL,
  type Settle,
  type TakesJson,
} from './converter.ts';
export { type ConverterServices, converterFor } from './converter-for.ts';
export {
  ConversionFailure,
  type FailureKind,
  type HttpAnswer,
  isFailure,
  type UpstreamFailureType,
  type WebhookFault,
} from './failure.ts';
export { httpErrorText } from './http-fault.ts';
export { LensConverter } from './lens-converter.ts';
export { type Guarded, guard } from './metadata-guard.ts';
export { type ParsedReview, parseReview } from './parse-review.ts';
export { encodeReview, type ReviewRequest } from './review-request.ts';
export { readReview } from './review-response.ts';
export {
  DEFAULT_SETTINGS,
  MAX_CONCURRENCY,
  settingsOf,
  settingsWarnings,
  type WebhookSettings,
} from './settings.ts';
export { type ConversionSource, type ConversionSources, type CutJson, sourceOf } from './source.ts';
export { CallError, type WebhookAnswer, type WebhookCall, type WebhookRequest } from './webhook-call.ts';
export {
  type ConversionObserver,
  type ObservedCall,
  WebhookConverter,
  type WebhookConverterOptions,
} from './webhook-converter.ts';
