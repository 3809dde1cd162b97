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
} from './converter.ts';
export { converterFor } from './converter-for.ts';
export {
  ConversionFailure,
  isFailure,
} from './failure.ts';
export { httpErrorText } from './http-fault.ts';
export { LensConverter } from './lens-converter.ts';
export { parseReview } from './parse-review.ts';
export { encodeReview } from './review-request.ts';
export { readReview } from './review-response.ts';
export {
  MAX_CONCURRENCY,
  settingsWarnings,
} from './settings.ts';
export { type ConversionSource, type CutJson, sourceOf } from './source.ts';
export { CallError, type WebhookAnswer } from './webhook-call.ts';
export type {
  ConversionObserver,
  ObservedCall,
} from './webhook-converter.ts';
