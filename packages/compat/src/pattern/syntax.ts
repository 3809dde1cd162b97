// The tree of a pattern: what of RE2's syntax the comparison understands. Word boundaries, Unicode classes
// and multi-line mode it does not.

/** Inclusive ranges of code points, in order, apart from each other. */
export type CharSet = readonly (readonly [number, number])[];

export type Pattern =
  | { readonly kind: 'empty' | 'begin' | 'end' }
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly part: Pattern; readonly min: number; readonly max: number };

/** The pattern is well-formed for all we know, but not understood here. */
export class NotUnderstood extends Error {}
