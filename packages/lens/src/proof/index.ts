// Proof of conversions: valid objects made from schemas, and the laws that a conversion has to keep.
export {
  arbitraryOf,
  GenerationError,
  type GenerationStatistics,
  ObjectArbitrary,
  type ObjectOptions,
  type ObjectSize,
  requiredOnly,
} from './generate/arbitrary.ts';
