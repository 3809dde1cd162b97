// From the conversion settings of a definition to what converts its objects.
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
  /** Milliseconds, of a clock that only goes forward. */
  readonly now: () => number;
  readonly observer?: ConversionObserver;
}

/** `services` is asked for only if a webhook has to be called. */
export function converterFor(crd: CustomResourceDefinition, services: () => ConverterServices): Converter {
  const { conversion } = crd.spec;
  if (conversion?.strategy !== 'Webhook') return RELABEL;
  return new WebhookConverter({
    ...services(),
    reviewVersion: reviewVersionOf(conversion.webhook?.conversionReviewVersions ?? []),
    settings: settingsOf(crd),
  });
}
