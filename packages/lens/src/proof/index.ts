// Proof of conversions: valid objects generated from schemas, and the laws that a conversion has to satisfy.
export { type Difference, differencesOf } from './difference.ts';
export { describeEdit } from './edit/edit.ts';
export {
  arbitraryOf,
  GenerationError,
  type GenerationStatistics,
  ObjectArbitrary,
  type ObjectOptions,
  type ObjectSize,
  requiredOnly,
} from './generate/arbitrary.ts';
export { sample } from './generate/sample.ts';
export type { LawName, Violation } from './law.ts';
export { LAWS } from './laws/index.ts';
export {
  type DirectionReport,
  type LawFailure,
  type LawReport,
  type ProofOptions,
  type ProofProgress,
  type ProofReport,
  prove,
} from './prove.ts';
export { checkSamples, type SampleCase, type SampleOptions, type SampleReport } from './samples.ts';
export type { ConversionResult, ConvertFunction, ProofVersion } from './subject.ts';
