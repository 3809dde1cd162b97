export { applyManaged, applyManagedAsync, applyManagedPausing } from './managers/apply.ts';
export { mergeConfiguration } from './managers/apply-configuration.ts';
export { checkManagedFieldsAfterAdmission } from './managers/check-managed-fields.ts';
export { conflictError } from './managers/conflict.ts';
export { keepTimesIfUnchanged } from './managers/keep-times.ts';
export { resetFieldsOf } from './managers/reset-fields.ts';
export {
  managedFieldsAfterScale,
  managedFieldsOfScale,
  type ReplicasPaths,
  SCALE_TYPE,
} from './managers/scale.ts';
export {
  updateManagedFields,
  updateManagedFieldsAsync,
  updateManagedFieldsPausing,
  type WriteContext,
} from './managers/update.ts';
export { managerOf } from './managers/user-agent.ts';
export type { OwnerVersions } from './managers/versions.ts';
export type { MergeType } from './typed/merge-type.ts';
export { mergeTypeOf } from './typed/merge-type-of.ts';
