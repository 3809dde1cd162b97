export { type CheckOptions, check, compareDefinitions } from './check.ts';
export { definitionOf, isDefinition } from './definition/normal-form.ts';
export {
  type ConversionOptions,
  type ConversionReport,
  checkConversion,
  conversionFindings,
  type DirectionResult,
  withConversion,
} from './evidence/check-conversion.ts';
export { checkObjects, type ObjectsReport } from './evidence/check-objects.ts';
export {
  type Executed,
  type ExecutedVersion,
  type ExecuteOptions,
  executedFindings,
  executeRule,
} from './evidence/execute-rule.ts';
export * from './exceptions.ts';
export { explainLintRule, explainRule } from './explain.ts';
export * from './finding.ts';
export { type LintOptions, lint } from './lint/lint.ts';
export {
  type LintFinding,
  type LintRule,
  type LintSeverity,
  PROFILES,
  type Profile,
} from './lint/lint-rule.ts';
export { LINT_RULES, lintRuleNamed } from './lint/rules/index.ts';
export { rulesReference } from './reference.ts';
export type { DefinitionExample, Rule, SchemaExample } from './rule.ts';
export { RULES, ruleNamed } from './rules/index.ts';
export * from './semver.ts';
export * from './verdict.ts';
export * from './version-order.ts';
