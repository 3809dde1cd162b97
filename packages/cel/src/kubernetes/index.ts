/**
 * What Kubernetes adds to CEL, for the rooms that use it: the environment, its limits, and rules over
 * structural schemas.
 */
export { kubernetesEnvironment } from './environment.ts';
export { escapeName, unescapeName } from './escaping.ts';
export {
  type AuthorizationCheck,
  type AuthorizationDecision,
  type Authorize,
  authorizerType,
  authorizerValue,
  type CheckedResource,
  resourceAuthorizerValue,
  resourceCheckType,
  type ServiceAccount,
} from './libraries/authorizer.ts';
export {
  maxMessageBytes,
  maxRequestBytes,
  perCallLimit,
  runtimeCostBudget,
  staticDefinitionCostLimit,
  staticRuleCostLimit,
} from './limits.ts';
export { messageOf } from './message.ts';
export {
  type CompiledExpression,
  type CompiledRule,
  type RuleOutcome,
  type RuleRun,
  RuleScope,
  type RuleSource,
  runExpression,
} from './rule.ts';
export {
  type DeclaredField,
  type DeclaredKind,
  type DeclaredType,
  declareType,
} from './schema/declared-type.ts';
export { type SchemaNode, withResourceMeta } from './schema/schema-node.ts';
export { type TypedSchema, typedSchema } from './schema/typed-schema.ts';
