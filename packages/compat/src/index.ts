export { type CheckOptions, check, compareDefinitions } from './check.ts';
export { definitionOf, isDefinition } from './definition/normal-form.ts';
export {
  type ConversionOptions,
  type ConversionReport,
  checkConversion,
  conversionFindings,
  withConversion,
} from './evidence/check-conversion.ts';
export { checkObjects, type ObjectsReport } from './evidence/check-objects.ts';
export {
  type ExecutedVersion,
  type ExecuteOptions,
  executedFindings,
  executeRule,
} from './evidence/execute-rule.ts';
export {
  applyBaseline,
  applyExceptions,
  baselineOf,
  type Exception,
  type Excused,
  type ParsedExceptions,
  parseExceptions,
} from './exceptions.ts';
export { explainLintRule, explainRule } from './explain.ts';
export {
  type Audience,
  compareSeverity,
  type Evidence,
  type Finding,
  identityOf,
  type Scope,
  SEVERITIES,
  type Severity,
} from './finding.ts';
export { type FoldedFinding, foldFindings, SECTIONS, type Section, sectionOf } from './fold.ts';
export { type LintOptions, lint } from './lint/lint.ts';
export type {
  LintFinding,
  LintRule,
  LintSeverity,
  Profile,
} from './lint/lint-rule.ts';
export { LINT_RULES, lintRuleNamed } from './lint/rules/index.ts';
export { rulesReference } from './reference.ts';
export type { Rule } from './rule.ts';
export { RULES, ruleNamed } from './rules/index.ts';
export { type Bump, isWithin, type SemverVerdict, semverVerdict } from './semver.ts';
export { isConverted, type Verdict, verdictOf } from './verdict.ts';
export { nextVersion } from './version-order.ts';
