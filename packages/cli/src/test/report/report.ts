// The result of a test.
import type { ProofReport, SampleReport } from '@instar/lens/proof';
import type { Definition } from '../load-definition.ts';

export interface TestReport {
  readonly definition: Definition;
  readonly target: string;
  readonly proof: ProofReport;
  readonly samples: readonly SampleReport[];
  readonly seconds: number;
}

export const isSampleGood = ({ failure, differences }: SampleReport): boolean =>
  failure === undefined && differences.length === 0;

export const isGood = ({ proof, samples }: TestReport): boolean =>
  proof.failures.length === 0 &&
  samples.every(isSampleGood) &&
  proof.directions.every(({ generationFailure }) => generationFailure === undefined);
