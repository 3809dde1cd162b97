export { ApiError, apiErrors, type GroupResource } from './api-error.ts';
export { deepCopy, memberOf, setMember } from './deep-copy.ts';
export { deepEqual } from './deep-equal.ts';
export {
  aggregateMessage,
  type FieldError,
  type FieldErrorType,
  fieldErrorBody,
  fieldErrorMessage,
  fieldErrors,
  statusCauses,
} from './field/error.ts';
export { FieldPath } from './field/path.ts';
export {
  apiVersionFault,
  compareKubeAwareVersions,
  type GroupVersion,
  type GroupVersionKind,
  gvkOf,
  parseApiVersion,
  printApiVersion,
  printGvk,
} from './gvk.ts';
export { invariant } from './invariant.ts';
export { encodeJson } from './json/encode.ts';
export { encodeGoJson } from './json/encode-go.ts';
export { mayHoldLongNumber } from './json/long-number.ts';
export { memberPaths } from './json/member-paths.ts';
export { Outline, sparseValue } from './json/outline.ts';
export { type ParsedJson, parseJson, parseJsonInSteps, TooManyMembersError } from './json/parse.ts';
export { JsonParseError } from './json/parse-error.ts';
export {
  ANYTHING,
  hashOfName,
  isAt,
  type JsonShape,
  MEMBERLESS,
  type MemberShape,
  memberShape,
  NameTable,
  VALUE_START,
} from './json/shape.ts';
export { endOfMembers, endOfObject, isKnownJson, isSameText, Skimmer } from './json/skim.ts';
export { MemberProjection, OPAQUE, type Projection, SparseReader, WHOLE } from './json/sparse.ts';
export { Recipe, Splicer } from './json/splice.ts';
export { WholeFloat, type WholeFloatAt, withoutWholeFloats, withWholeFloats } from './json/whole-float.ts';
export { isJsonObject, type JsonObject, type JsonValue } from './json-value.ts';
export { compileJsonPath, type JsonPath, printCell } from './jsonpath/json-path.ts';
export { JsonPathError } from './jsonpath/syntax.ts';
export { decodeObjectMeta, goJsonType } from './meta/decode-object-meta.ts';
export { generateName } from './meta/generate-name.ts';
export { readableMetadata, repairStoredMetadata, STORED_METADATA } from './meta/stored-metadata.ts';
export {
  finalizerWarnings,
  validateAnnotations,
  validateFieldManager,
  validateImmutableField,
  validateLabelName,
  validateLabels,
} from './meta/validate-metadata.ts';
export { validateObjectMeta, validateObjectMetaUpdate } from './meta/validate-object-meta.ts';
export {
  asJson,
  asKubeObject,
  type KubeObject,
  type ManagedFieldsEntry,
  type ObjectMeta,
  type OwnerReference,
} from './object.ts';
export { decodeJsonPatch } from './patch/decode-json-patch.ts';
export { applyJsonPatch, type JsonPatchOperation } from './patch/json-patch.ts';
export { PATCH_MEDIA_TYPES, type PatchType } from './patch/media-types.ts';
export { applyMergePatch } from './patch/merge-patch.ts';
export { PatchError, PatchTestError } from './patch/patch-error.ts';
export { applyStrategicMergePatch } from './patch/strategic-merge-patch.ts';
export type {
  AdmissionOperation,
  AdmissionRequest,
  AdmissionReview,
  AdmissionUserInfo,
  GroupVersionResource,
} from './review/admission-review.ts';
export type { ConversionReviewApiVersion } from './review/conversion-review.ts';
export { escapeFieldValue, type FieldSelector, parseFieldSelector } from './selector/field.ts';
export { type LabelSelector, parseLabelSelector, SelectorError } from './selector/label.ts';
export {
  type LabelSelectorObject,
  labelSelectorFromObject,
  validateLabelSelectorObject,
} from './selector/label-selector-object.ts';
export type { Status, StatusCause, StatusReason } from './status.ts';
export { validateWebhookClient, type WebhookClientConfig } from './webhook/client-config.ts';
export { type ParsedYaml, parseYaml, parseYamlDocuments } from './yaml/parse.ts';
export { printYaml } from './yaml/print.ts';
export { YamlError } from './yaml/yaml-error.ts';
