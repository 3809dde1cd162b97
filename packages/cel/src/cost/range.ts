// Ranges of sizes and costs, with arithmetic that saturates where uint64 would overflow.

/** Inclusive bounds. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** Between which bounds the size of a value is. */
export type SizeEstimate = Range;

/** Between which bounds the cost is. */
export type CostEstimate = Range;

/** What upstream writes as math.MaxUint64: no bound is known. */
export const unbounded = 2 ** 64;

export const zero: Range = { min: 0, max: 0 };
export const one: Range = { min: 1, max: 1 };
export const unknownRange: Range = { min: 0, max: unbounded };

export const fixed = (value: number): Range => ({ min: value, max: value });
export const saturate = (value: number): number => Math.min(value, unbounded);
export const addRange = (a: Range, b: Range): Range => ({
  min: saturate(a.min + b.min),
  max: saturate(a.max + b.max),
});
export const unionRange = (a: Range, b: Range): Range => ({
  min: Math.min(a.min, b.min),
  max: Math.max(a.max, b.max),
});

/** 0 × unbounded is 0, as for integers. */
export const multiplyRange = (a: Range, b: Range): Range => ({
  min: saturate(a.min * b.min),
  max: saturate(a.max * b.max),
});

/** Times a factor, each bound rounded up. */
export const scaleRange = (range: Range, factor: number): Range => ({
  min: saturate(Math.ceil(range.min * factor)),
  max: saturate(Math.ceil(range.max * factor)),
});

/** The factors of both the estimate and the count. */
export const stringTraversalFactor = 0.1;
export const regexLengthFactor = 0.25;
export const listCreateCost = 10;
export const mapCreateCost = 30;
export const structCreateCost = 40;
