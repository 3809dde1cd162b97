export * from './api-error.ts';
export * from './deep-copy.ts';
export * from './deep-equal.ts';
export * from './field/error.ts';
export * from './gvk.ts';
export * from './invariant.ts';
export * from './json/encode.ts';
export * from './json/encode-go.ts';
export { mayHoldLongNumber } from './json/long-number.ts';
export { memberPaths } from './json/member-paths.ts';
export { Outline, sparseValue } from './json/outline.ts';
export { type ParsedJson, type ParseJsonOptions, parseJson } from './json/parse.ts';
export { JsonParseError } from './json/parse-error.ts';
export {
  ANYTHING,
  FixedShape,
  hashOfName,
  isAt,
  type JsonShape,
  MEMBERLESS,
  type MemberShape,
  memberShape,
  NameTable,
  VALUE_START,
  type ValueStart,
} from './json/shape.ts';
export { endOfMembers, endOfObject, isKnownJson, isSameText, Skimmer } from './json/skim.ts';
export { type Sight, SightOfNames, SparseReader, UNSEEN, WHOLE } from './json/sparse.ts';
export { Recipe, Splicer, type TakeMemory } from './json/splice.ts';
export * from './json-value.ts';
export { EvaluationError } from './jsonpath/evaluate.ts';
export * from './jsonpath/json-path.ts';
export { JsonPathError } from './jsonpath/syntax.ts';
export * from './meta/decode-object-meta.ts';
export * from './meta/generate-name.ts';
export { readableMetadata, repairStoredMetadata, STORED_METADATA } from './meta/stored-metadata.ts';
export * from './meta/validate-metadata.ts';
export * from './meta/validate-object-meta.ts';
export * from './object.ts';
export * from './patch/decode-json-patch.ts';
export * from './patch/json-patch.ts';
export * from './patch/media-types.ts';
export * from './patch/merge-patch.ts';
export * from './patch/patch-error.ts';
export type { PatchSchema } from './patch/patch-schema.ts';
export * from './patch/strategic-merge-patch.ts';
export * from './review/admission-review.ts';
export * from './review/conversion-review.ts';
export * from './selector/field.ts';
export * from './selector/label.ts';
export * from './selector/label-requirement.ts';
export * from './selector/label-selector-object.ts';
export * from './status.ts';
export * from './webhook/client-config.ts';
export * from './yaml/parse.ts';
export { printYaml } from './yaml/print.ts';
export { YamlError } from './yaml/yaml-error.ts';
