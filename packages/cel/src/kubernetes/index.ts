/**
 * What Kubernetes adds to CEL, for other packages: the environment, its limits, and rules over structural
 * schemas.
 */
export { compileDeviceSelector } from './device-selector.ts';
export { kubernetesEnvironment } from './environment.ts';
export { escapeName, unescapeName } from './escaping.ts';
export {
  type AuthorizationCheck,
  type AuthorizationDecision,
  type Authorize,
  authorizerType,
  authorizerValue,
  resourceAuthorizerValue,
  resourceCheckType,
} from './libraries/authorizer.ts';
export {
  maxMessageBytes,
  perCallLimit,
  runtimeCostBudget,
  staticDefinitionCostLimit,
  staticRuleCostLimit,
} from './limits.ts';
export {
  JSON_PATCH_TYPE,
  OBJECT_TYPE,
  patchEnvironment,
  StructValue,
  typeNameFaults,
} from './patch-types.ts';
export {
  type CompiledRule,
  RuleScope,
  runExpression,
} from './rule.ts';
export {
  type DeclaredType,
  declareType,
} from './schema/declared-type.ts';
export type { SchemaNode } from './schema/schema-node.ts';
export { typedSchema } from './schema/typed-schema.ts';
