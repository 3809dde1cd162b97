export { approvalCondition } from './approval.ts';
export {
  findCondition,
  type NewCondition,
  removeCondition,
  setCondition,
} from './conditions.ts';
export { applyCrdDefaults } from './defaults.ts';
export { draftFieldHint } from './draft-spellings.ts';
export { establishedCondition } from './establishing.ts';
export {
  hasCleanupFinalizer,
  isBeingDeleted,
  markForDeletion,
  removeCleanupFinalizer,
  terminatingConditions,
} from './finalizing.ts';
export { decideNames, hasAllNames, type NamedDefinition } from './names.ts';
export { nonStructuralConditionInSteps } from './non-structural.ts';
export { prepareCrdForCreate, prepareCrdForStatusUpdate, prepareCrdForUpdate } from './prepare.ts';
export {
  type CustomResourceDefinition,
  type CustomResourceDefinitionNames,
  type CustomResourceDefinitionVersion,
  isConditionTrue,
  storageVersionOf,
} from './types.ts';
export { applyV1beta1Defaults } from './v1beta1/defaults.ts';
export { fromV1beta1 } from './v1beta1/from-v1beta1.ts';
export { toV1beta1 } from './v1beta1/to-v1beta1.ts';
export type { V1beta1CustomResourceDefinition } from './v1beta1/types.ts';
export { validateV1beta1 } from './v1beta1/validate.ts';
export {
  validateCrdCreate,
  validateCrdCreateInSteps,
  validateCrdStatusUpdate,
  validateCrdUpdateInSteps,
} from './validate/crd.ts';
export { crdWarnings } from './warnings.ts';
export { clearGated, clearGatedV1beta1, explainGated } from './without-webhook-conversion.ts';
