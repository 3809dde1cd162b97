// The syntax tree of a regular expression, as far as it decides which strings match: without groups and
// greediness.

/** Inclusive ranges of code points. */
export type CharSet = readonly (readonly [number, number])[];

/** A parsed regular expression. */
export type Pattern =
  /** Zero-width assertions: the ends of the text or of a line, and (no) word boundaries. */
  | { readonly kind: 'begin' | 'end' | 'lineBegin' | 'lineEnd' | 'wordBoundary' | 'noWordBoundary' }
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly part: Pattern; readonly min: number; readonly max: number };

/** What the parser does with sets that it cannot represent exactly. */
export interface PatternOptions {
  /** The code points of a Unicode class such as L, Nd or Greek, possibly only some; undefined if unknown. */
  readonly unicodeClass: (name: string) => CharSet | undefined;
  /** Whether (?i) may be applied to ASCII letters only. */
  readonly foldsAsciiOnly: boolean;
}

/** Only exact sets. */
export const EXACT: PatternOptions = { unicodeClass: () => undefined, foldsAsciiOnly: false };

/** The pattern cannot be represented here, though it may be well-formed. */
export class NotUnderstood extends Error {}
