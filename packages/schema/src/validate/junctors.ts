// anyOf, oneOf, allOf and not. Of alternatives that all fail, the one in which most checks held is reported.

import { quoteGo } from '@instar/go';
import type { JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '../json-schema-props.ts';
import type { ValidationContext } from './validation-context.ts';
import { faults, ValidationResult } from './validation-result.ts';
import type { ValueSchema } from './value-schema.ts';

/** Explains what is wrong with a value by one of the branches. */
type Explain = (branch: ValueSchema, value: JsonValue, context: ValidationContext) => ValidationResult;

export function explainJunctors(
  schema: ValueSchema,
  value: JsonValue,
  context: ValidationContext,
  found: ValidationResult,
  explain: Explain,
): void {
  const { anyOf, oneOf, allOf } = schema.props;
  const quoted = quoteGo(context.name);
  // Ratcheting does not go below the node with the junctor: its branches are explained without old values.
  const outcomes = (list: readonly JSONSchemaProps[]): ValidationResult[] =>
    schema.branches(list).map((branch) => explain(branch, value, { name: context.name, counting: true }));
  if (anyOf !== undefined && anyOf.length > 0) explainAnyOf(outcomes(anyOf), quoted, found);
  if (oneOf !== undefined && oneOf.length > 0) explainOneOf(outcomes(oneOf), quoted, found);
  if (allOf !== undefined && allOf.length > 0) explainAllOf(outcomes(allOf), quoted, found);
  if (schema.not?.accepts(value) === true)
    found.add(faults.general(`${quoted} must not validate the schema (not)`));
  found.matches++;
}

function explainAnyOf(branches: ValidationResult[], quoted: string, found: ValidationResult): void {
  const success = branches.find((branch) => branch.isFaultless);
  if (success === undefined) found.add(faults.general(`${quoted} must validate at least one schema (anyOf)`));
  found.merge(success ?? closest(branches));
}

function explainOneOf(branches: ValidationResult[], quoted: string, found: ValidationResult): void {
  const successes = branches.filter((branch) => branch.isFaultless);
  if (successes.length !== 1) {
    const outcome =
      successes.length === 0 ? 'Found none valid' : `Found ${successes.length} valid alternatives`;
    found.add(faults.general(`${quoted} must validate one and only one schema (oneOf). ${outcome}`));
  }
  if (successes.length < 2) found.merge(successes[0] ?? closest(branches));
}

function explainAllOf(branches: ValidationResult[], quoted: string, found: ValidationResult): void {
  for (const branch of branches) found.merge(branch);
  const held = branches.filter((branch) => branch.isFaultless).length;
  if (held === branches.length) return;
  found.add(
    faults.general(`${quoted} must validate all the schemas (allOf)${held === 0 ? '. None validated' : ''}`),
  );
}

function closest(branches: ValidationResult[]): ValidationResult {
  return branches.reduce(
    (best, branch) => (branch.matches > best.matches ? branch : best),
    branches[0] ?? new ValidationResult(),
  );
}
