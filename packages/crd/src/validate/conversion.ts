// spec.conversion. Messages name the fields as v1beta1 does (webhookClientConfig), because upstream's do.
import { type FieldError, type FieldPath, fieldErrors, validateWebhookClient } from '@instar/machinery';
import { draftStrategyHint } from '../draft-spellings.ts';
import type { CustomResourceConversion, WebhookClientConfig } from '../types.ts';
import { caBundleFault } from './ca-bundle.ts';
import type { ValidationOptions } from './options.ts';
import { validateReviewVersions } from './review-versions.ts';

const STRATEGIES = ['None', 'Webhook'];

export function validateConversion(
  conversion: CustomResourceConversion,
  options: ValidationOptions,
  path: FieldPath,
): FieldError[] {
  const { strategy, webhook } = conversion;
  const errors = validateStrategy(strategy ?? '', path.child('strategy'));
  const clientPath = path.child('webhookClientConfig');
  const reviewPath = path.child('conversionReviewVersions');
  const reviewVersions: readonly string[] | null | undefined = webhook?.conversionReviewVersions;
  if (strategy === 'Webhook') {
    errors.push(...validateClient(webhook?.clientConfig, options, clientPath));
    errors.push(
      ...validateReviewVersions(reviewVersions ?? [], options.requireRecognizedReviewVersion, reviewPath),
    );
    return errors;
  }
  const detail = 'should not be set when strategy is not set to Webhook';
  if (webhook?.clientConfig !== undefined) errors.push(fieldErrors.forbidden(clientPath, detail));
  if ((reviewVersions ?? []).length > 0) errors.push(fieldErrors.forbidden(reviewPath, detail));
  return errors;
}

function validateStrategy(strategy: string, path: FieldPath): FieldError[] {
  if (strategy === '') return [fieldErrors.required(path)];
  if (STRATEGIES.includes(strategy)) return [];
  const error = fieldErrors.notSupported(path, strategy, STRATEGIES);
  const hint = draftStrategyHint(strategy);
  return [hint === undefined ? error : { ...error, detail: `${error.detail}; ${hint}` }];
}

function validateClient(
  client: WebhookClientConfig | undefined,
  options: ValidationOptions,
  path: FieldPath,
): FieldError[] {
  if (client === undefined) return [fieldErrors.required(path, 'required when strategy is set to Webhook')];
  const errors = validateWebhookClient(client, path);
  const fault = options.allowInvalidCaBundle ? undefined : caBundleFault(client.caBundle);
  if (fault !== undefined) errors.push(fieldErrors.invalid(path.child('caBundle'), client.caBundle!, fault));
  return errors;
}
