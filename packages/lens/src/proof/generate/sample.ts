// Some objects of an arbitrary, the same for the same seed: for callers that need objects rather than a
// property.
import fc, { type Arbitrary } from 'fast-check';

/** Throws the error of the arbitrary itself, if it cannot generate one. */
export function sample<T>(arbitrary: Arbitrary<T>, count: number, seed: number): T[] {
  try {
    return fc.sample(arbitrary, { numRuns: count, seed });
  } catch (error) {
    throw error instanceof Error && error.cause instanceof Error ? error.cause : error;
  }
}
