export * from './fieldset/index.ts';
export { type ApplyInput, type ApplyResult, applyManaged, applyManagedAsync } from './managers/apply.ts';
export {
  type AdmittedManagedFields,
  checkManagedFieldsAfterAdmission,
} from './managers/check-managed-fields.ts';
export { type Conflict, conflictError } from './managers/conflict.ts';
export { keepTimesIfUnchanged } from './managers/keep-times.ts';
export { resetFieldsOf } from './managers/reset-fields.ts';
export {
  managedFieldsAfterScale,
  managedFieldsOfScale,
  type ReplicasPaths,
  SCALE_API_VERSION,
  SCALE_TYPE,
} from './managers/scale.ts';
export {
  type UpdateInput,
  updateManagedFields,
  updateManagedFieldsAsync,
  type WriteContext,
} from './managers/update.ts';
export { managerFromUserAgent, managerOf } from './managers/user-agent.ts';
export { type ConvertAsync, type ConvertSync, type OwnerVersions, relabel } from './managers/versions.ts';
export { compareObjects, type FieldChanges } from './typed/compare.ts';
export { extractItems } from './typed/extract.ts';
export type { MergeType } from './typed/merge-type.ts';
export { mergeTypeOf } from './typed/merge-type-of.ts';
export { toFieldSet } from './typed/to-field-set.ts';
