// All lint rules.
import type { LintRule } from '../lint-rule.ts';
import { celCost } from './cel-cost.ts';
import { closedEnum } from './closed-enum.ts';
import { conditionsMissing } from './conditions-missing.ts';
import { conversionWebhook } from './conversion-webhook.ts';
import { crossNamespaceReference } from './cross-namespace-reference.ts';
import { enumValueName } from './enum-value-name.ts';
import { fieldName } from './field-name.ts';
import { kindName } from './kind-name.ts';
import { listName } from './list-name.ts';
import { listOfObjects } from './list-of-objects.ts';
import { missingDescription } from './missing-description.ts';
import { noBool } from './no-bool.ts';
import { noFloats } from './no-floats.ts';
import { noMaps } from './no-maps.ts';
import { preserveUnknownFieldsRequired } from './preserve-unknown-fields-required.ts';
import { preserveUnknownFieldsRoot } from './preserve-unknown-fields-root.ts';
import { requiredStruct } from './required-struct.ts';
import { statusSubresourceMissing } from './status-subresource-missing.ts';
import { unboundedList } from './unbounded-list.ts';
import { unboundedString } from './unbounded-string.ts';

/** All rules of the linter. */
export const LINT_RULES: readonly LintRule[] = [
  celCost,
  closedEnum,
  conditionsMissing,
  conversionWebhook,
  crossNamespaceReference,
  enumValueName,
  fieldName,
  kindName,
  listName,
  listOfObjects,
  missingDescription,
  noBool,
  noFloats,
  noMaps,
  preserveUnknownFieldsRequired,
  preserveUnknownFieldsRoot,
  requiredStruct,
  statusSubresourceMissing,
  unboundedList,
  unboundedString,
];

/** The rule of the linter with this id. */
export function lintRuleNamed(id: string): LintRule | undefined {
  return LINT_RULES.find((rule) => rule.id === id);
}
