export { type CheckOptions, check } from './check.ts';
export { definitionOf, isDefinition } from './definition/normal-form.ts';
export * from './finding.ts';
export type { DefinitionExample, Rule, SchemaExample } from './rule.ts';
export { RULES, ruleNamed } from './rules/index.ts';
export * from './semver.ts';
export * from './version-order.ts';
