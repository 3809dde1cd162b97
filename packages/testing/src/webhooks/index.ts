// Webhooks over real TLS, whose answers tests script.
export { type AdmissionCall, AdmissionWebhook, type Said } from './admission-webhook.ts';
export {
  answering,
  ConversionWebhook,
  type Convert,
  convertCronTab,
  type Review,
  type ReviewedObject,
} from './conversion-webhook.ts';
