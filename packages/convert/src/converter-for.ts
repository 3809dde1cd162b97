// From the conversion settings of a definition to its converter.
import type { CustomResourceDefinition } from '@instar/crd';
import { type Converter, RELABEL } from './converter.ts';
import { reviewVersionOf } from './review-request.ts';
import { settingsOf } from './settings.ts';
import type { WebhookCall } from './webhook-call.ts';
import { type ConversionObserver, WebhookConverter } from './webhook-converter.ts';

export interface ConverterServices {
  readonly call: WebhookCall;
  /** For messages: the URL that is called, without its query. */
  readonly endpoint: string;
  readonly newUid: () => string;
  /** Milliseconds, from a monotonic clock. */
  readonly now: () => number;
  readonly observer?: ConversionObserver;
}

/** `services` is called only if a webhook is needed. */
export function converterFor(crd: CustomResourceDefinition, services: () => ConverterServices): Converter {
  const { conversion } = crd.spec;
  if (conversion?.strategy !== 'Webhook') return RELABEL;
  return new WebhookConverter({
    ...services(),
    reviewVersion: reviewVersionOf(conversion.webhook?.conversionReviewVersions ?? []),
    settings: settingsOf(crd),
  });
}
