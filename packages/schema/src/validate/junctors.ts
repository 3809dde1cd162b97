// anyOf, oneOf, allOf and not. Of alternatives that all fail, the one in which most checks held is reported.

import { quoteGo } from '@instar/go';
import type { JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '../json-schema-props.ts';
import { Findings, faults } from './findings.ts';
import type { ValidationContext } from './validation-context.ts';
import type { ValueSchema } from './value-schema.ts';

/** Says what is wrong with a value by one of the branches. */
type Explain = (branch: ValueSchema, value: JsonValue, place: ValidationContext) => Findings;

export function explainJunctors(
  schema: ValueSchema,
  value: JsonValue,
  place: ValidationContext,
  found: Findings,
  explain: Explain,
): void {
  const { anyOf, oneOf, allOf } = schema.props;
  const quoted = quoteGo(place.name);
  // Ratcheting looks no further than the node that holds the junctor: its branches are explained without old
  // values.
  const outcomes = (list: readonly JSONSchemaProps[]): Findings[] =>
    schema.branches(list).map((branch) => explain(branch, value, { name: place.name, counting: true }));
  if (anyOf !== undefined && anyOf.length > 0) explainAnyOf(outcomes(anyOf), quoted, found);
  if (oneOf !== undefined && oneOf.length > 0) explainOneOf(outcomes(oneOf), quoted, found);
  if (allOf !== undefined && allOf.length > 0) explainAllOf(outcomes(allOf), quoted, found);
  if (schema.not?.accepts(value) === true)
    found.add(faults.general(`${quoted} must not validate the schema (not)`));
  found.matches++;
}

function explainAnyOf(branches: Findings[], quoted: string, found: Findings): void {
  const success = branches.find((branch) => branch.areFaultless);
  if (success === undefined) found.add(faults.general(`${quoted} must validate at least one schema (anyOf)`));
  found.merge(success ?? closest(branches));
}

function explainOneOf(branches: Findings[], quoted: string, found: Findings): void {
  const successes = branches.filter((branch) => branch.areFaultless);
  if (successes.length !== 1) {
    const outcome =
      successes.length === 0 ? 'Found none valid' : `Found ${successes.length} valid alternatives`;
    found.add(faults.general(`${quoted} must validate one and only one schema (oneOf). ${outcome}`));
  }
  if (successes.length < 2) found.merge(successes[0] ?? closest(branches));
}

function explainAllOf(branches: Findings[], quoted: string, found: Findings): void {
  for (const branch of branches) found.merge(branch);
  const held = branches.filter((branch) => branch.areFaultless).length;
  if (held === branches.length) return;
  found.add(
    faults.general(`${quoted} must validate all the schemas (allOf)${held === 0 ? '. None validated' : ''}`),
  );
}

function closest(branches: Findings[]): Findings {
  return branches.reduce(
    (best, branch) => (branch.matches > best.matches ? branch : best),
    branches[0] ?? new Findings(),
  );
}
