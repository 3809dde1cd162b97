// The syntax tree of a regular expression, as far as generating strings needs it.

/** Inclusive ranges of code points. */
export type Ranges = readonly (readonly [number, number])[];

export type PatternNode =
  | { readonly kind: 'class'; readonly ranges: Ranges }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly inner: PatternNode; readonly min: number; readonly max: number }
  /** Matches without taking a character: ^, $, \b and their like. */
  | { readonly kind: 'nothing' };

export const NOTHING: PatternNode = { kind: 'nothing' };
