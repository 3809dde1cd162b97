// Webhooks over real TLS, whose answers tests script.
export { AdmissionWebhook } from './admission-webhook.ts';
export {
  answering,
  ConversionWebhook,
  type Convert,
  convertCronTab,
  type Review,
} from './conversion-webhook.ts';
