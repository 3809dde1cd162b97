// All rules. A rule that is not listed here does not exist.
import type { DefinitionRule, Rule, SchemaRule, VersionRule } from '../rule.ts';
import { additionalProperties } from './additional-properties.ts';
import { allOf } from './all-of.ts';
import { anyOf } from './any-of.ts';
import { celRuleAdded } from './cel-rule-added.ts';
import { celRuleChanged } from './cel-rule-changed.ts';
import { celRuleRemoved } from './cel-rule-removed.ts';
import { conversion } from './conversion.ts';
import { defaultAdded } from './default-added.ts';
import { defaultChanged } from './default-changed.ts';
import { defaultRemoved } from './default-removed.ts';
import { deprecation } from './deprecation.ts';
import { documentation } from './documentation.ts';
import { embeddedResource } from './embedded-resource.ts';
import { enumAdded } from './enum-added.ts';
import { enumRemoved } from './enum-removed.ts';
import { enumValueAdded } from './enum-value-added.ts';
import { enumValueRemoved } from './enum-value-removed.ts';
import { fieldAdded } from './field-added.ts';
import { fieldRemoved } from './field-removed.ts';
import { fieldRenamed } from './field-renamed.ts';
import { format } from './format.ts';
import { items } from './items.ts';
import { listMapKeys } from './list-map-keys.ts';
import { listType } from './list-type.ts';
import { mapType } from './map-type.ts';
import { maxItems } from './max-items.ts';
import { maxLength } from './max-length.ts';
import { maxProperties } from './max-properties.ts';
import { maximum } from './maximum.ts';
import { metadata } from './metadata.ts';
import { minItems } from './min-items.ts';
import { minLength } from './min-length.ts';
import { minProperties } from './min-properties.ts';
import { minimum } from './minimum.ts';
import { multipleOf } from './multiple-of.ts';
import { namesChanged } from './names-changed.ts';
import { newRequiredField } from './new-required-field.ts';
import { not } from './not.ts';
import { nullable } from './nullable.ts';
import { oneOf } from './one-of.ts';
import { pattern } from './pattern.ts';
import { preserveUnknownFields } from './preserve-unknown-fields.ts';
import { printerColumns } from './printer-columns.ts';
import { pruning } from './pruning.ts';
import * as reported from './reported.ts';
import { requiredAdded } from './required-added.ts';
import { requiredRemoved } from './required-removed.ts';
import { resourceRenamed } from './resource-renamed.ts';
import { scaleSubresource } from './scale-subresource.ts';
import { schemaPresence } from './schema-presence.ts';
import { scopeChanged } from './scope-changed.ts';
import { selectableFields } from './selectable-fields.ts';
import { served } from './served.ts';
import { statusSubresource } from './status-subresource.ts';
import { storageVersion } from './storage-version.ts';
import { storedVersions } from './stored-versions.ts';
import { typeChanged } from './type-changed.ts';
import { typeWidened } from './type-widened.ts';
import { uniqueItems } from './unique-items.ts';
import { versionAdded } from './version-added.ts';
import { versionRemoved } from './version-removed.ts';

/** Types first: if they do not match, nothing else at the path is compared. */
export const SCHEMA_RULES: readonly SchemaRule[] = [
  typeChanged,
  typeWidened,
  fieldRemoved,
  fieldRenamed,
  newRequiredField,
  requiredAdded,
  requiredRemoved,
  fieldAdded,
  additionalProperties,
  allOf,
  anyOf,
  celRuleAdded,
  celRuleChanged,
  celRuleRemoved,
  defaultAdded,
  defaultChanged,
  defaultRemoved,
  documentation,
  embeddedResource,
  enumAdded,
  enumRemoved,
  enumValueAdded,
  enumValueRemoved,
  format,
  items,
  listMapKeys,
  listType,
  mapType,
  maxItems,
  maxLength,
  maxProperties,
  maximum,
  minItems,
  minLength,
  minProperties,
  minimum,
  multipleOf,
  not,
  nullable,
  oneOf,
  pattern,
  preserveUnknownFields,
  uniqueItems,
];

export const VERSION_RULES: readonly VersionRule[] = [
  deprecation,
  printerColumns,
  scaleSubresource,
  schemaPresence,
  selectableFields,
  served,
  statusSubresource,
];

export const DEFINITION_RULES: readonly DefinitionRule[] = [
  conversion,
  metadata,
  namesChanged,
  pruning,
  resourceRenamed,
  scopeChanged,
  storageVersion,
  storedVersions,
  versionAdded,
  versionRemoved,
];

/** All rules of the checker. */
export const RULES: readonly Rule[] = [
  ...SCHEMA_RULES,
  ...VERSION_RULES,
  ...DEFINITION_RULES,
  ...Object.values(reported),
];

/** The rule of the checker with this id. */
export function ruleNamed(id: string): Rule | undefined {
  return RULES.find((rule) => rule.id === id);
}
