// The feature gate CustomResourceWebhookConversion, turned off (KEP-598, "Support Level"): differences
// between versions and conversion webhooks can no longer be added to a definition. A definition that has them
// keeps them and may change them: removing a schema would be dangerous.
import type { FieldError } from '@instar/machinery';
import { SHAREABLE, type Shareable } from './hoisted.ts';
import type { CustomResourceDefinition } from './types.ts';
import { fromV1beta1 } from './v1beta1/from-v1beta1.ts';
import { toV1beta1 } from './v1beta1/to-v1beta1.ts';
import type { V1beta1CustomResourceDefinition } from './v1beta1/types.ts';

const has = (crd: V1beta1CustomResourceDefinition | undefined, part: Shareable): boolean =>
  crd?.spec.versions?.some((version) => version[part] !== undefined) ?? false;

/** Changes `crd`; `old` is what it replaces, if anything. */
export function clearGatedV1beta1(
  crd: V1beta1CustomResourceDefinition,
  old: V1beta1CustomResourceDefinition | undefined,
): void {
  for (const part of SHAREABLE) {
    if (!has(old, part)) for (const version of crd.spec.versions ?? []) delete version[part];
  }
  const { conversion } = crd.spec;
  if (conversion === undefined || old?.spec.conversion?.webhookClientConfig !== undefined) return;
  delete conversion.webhookClientConfig;
  delete conversion.conversionReviewVersions;
}

/**
 * In v1 everything is in the versions; what v1beta1 would show at the top is not "per version" in the sense
 * of the gate.
 */
export function clearGated(crd: CustomResourceDefinition, old: CustomResourceDefinition | undefined): void {
  const beta = toV1beta1(crd);
  clearGatedV1beta1(beta, old && toV1beta1(old));
  crd.spec = fromV1beta1(beta).spec;
}

const BECAUSE = 'but not allowed because the CustomResourceWebhookConversion feature is disabled';

/** An error about something missing says that the gate cleared it. */
export function explainGated(errors: readonly FieldError[]): FieldError[] {
  return errors.map((error) => {
    const isCleared =
      error.type === 'FieldValueRequired' &&
      /\.(webhookClientConfig|schema|openAPIV3Schema|validation)$/.test(error.field);
    return isCleared ? { ...error, detail: `${error.detail}, ${BECAUSE}` } : error;
  });
}
