// The report for programs.
import { encodeJson, type JsonValue } from '@instar/machinery';
import { isGood, type TestReport } from './report.ts';

export function jsonReport(report: TestReport): string {
  const { definition, target, proof, samples, seconds } = report;
  const directions = proof.directions.map(({ generation, ...direction }) => ({
    ...direction,
    generation: {
      objects: generation.objects,
      rejected: generation.rejected,
      leftOut: Object.fromEntries(generation.leftOut),
    },
  }));
  const value = {
    crd: definition.name,
    versions: definition.versions.map(({ name }) => name),
    target,
    passed: isGood(report),
    seconds,
    ...proof,
    directions,
    samples,
  };
  return `${encodeJson(value as unknown as JsonValue)}\n`;
}
