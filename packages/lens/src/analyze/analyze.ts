// What can be said about a lens from the schemas of its versions, without any object: each step is read in
// both directions, and the resulting schema is compared with the other version's.
import type { JSONSchemaProps } from '@instar/schema';
import type { CompiledLensSet, CompiledStep } from '../compiled-lens-set.ts';
import type { Direction } from '../op/op.ts';
import { readSchemaOf } from '../op/op-list.ts';
import type { Analysis, LensFinding, RequiredProof } from '../schema/finding.ts';
import { type Collected, SchemaReading } from '../schema/schema-reading.ts';
import { compareSchemas } from './compare-schemas.ts';

/**
 * `schemas`: of the objects, by version. Steps with a version that is not among them are left out, and
 * listed.
 */
export function analyze(lens: CompiledLensSet, schemas: ReadonlyMap<string, JSONSchemaProps>): Analysis {
  const findings: LensFinding[] = [];
  const proofs: RequiredProof[] = [];
  for (const step of lens.compiled) {
    const [left, right] = [schemas.get(step.from), schemas.get(step.to)];
    if (left === undefined || right === undefined) continue;
    analyzeDirection(step, 'forward', left, right, findings, proofs);
    analyzeDirection(step, 'backward', right, left, findings, proofs);
  }
  return {
    findings,
    proofs,
    isComplete: findings.every(({ severity }) => severity !== 'error'),
    withoutSchema: lens.versions.filter((version) => !schemas.has(version)),
  };
}

function analyzeDirection(
  { from: left, to: right, ops }: CompiledStep,
  direction: Direction,
  source: JSONSchemaProps,
  target: JSONSchemaProps,
  findings: LensFinding[],
  proofs: RequiredProof[],
): void {
  const [from, to] = direction === 'forward' ? [left, right] : [right, left];
  const collected: Collected = { reports: [], filled: new Map() };
  const reading = new SchemaReading(bodyOf(source), collected);
  readSchemaOf(ops, reading, direction);
  for (const { kind, severity, path, op, message } of collected.reports)
    findings.push({ kind, severity, from, to, path, op, message });
  compareSchemas(reading.result, bodyOf(target), '', {
    report: (kind, severity, path, message) =>
      findings.push({ kind, severity, from, to, path, ...opAt(collected, path), message }),
    prove: (path, because) => proofs.push({ from, to, path, because }),
    filledBy: (path) => collected.filled.get(path),
    isTouched: (path) =>
      [...collected.filled.keys()].some((filled) => holds(filled, path) || holds(path, filled)),
    stashingOp: direction === 'forward' ? 'remove' : 'add',
  });
}

const holds = (outer: string, inner: string): boolean =>
  inner === outer || (inner.startsWith(outer) && /^[.[{]/.test(inner.slice(outer.length)));

function opAt({ filled }: Collected, path: string): { op?: string } {
  const op = filled.get(path);
  return op === undefined ? {} : { op };
}

/** Without the fields that lenses leave alone. */
function bodyOf(schema: JSONSchemaProps): JSONSchemaProps {
  const { apiVersion: _, kind: __, metadata: ___, ...properties } = schema.properties ?? {};
  return {
    ...schema,
    properties,
    required: (schema.required ?? []).filter((name) => Object.hasOwn(properties, name)),
  };
}
