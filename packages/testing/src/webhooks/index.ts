// Webhooks over real TLS, with answers that tests set.
export { AdmissionWebhook } from './admission-webhook.ts';
export {
  answering,
  type ConversionReviewBody,
  ConversionWebhook,
  type ConvertObject,
  convertCronTab,
} from './conversion-webhook.ts';
