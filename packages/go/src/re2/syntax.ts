// The syntax tree of a regular expression, as far as it says which strings match: groups and greed are gone.

/** Inclusive ranges of code points. */
export type CharSet = readonly (readonly [number, number])[];

/** A parsed regular expression. */
export type Pattern =
  /** Matches without taking a character: at the ends of the text or of a line, and (not) between words. */
  | { readonly kind: 'begin' | 'end' | 'lineBegin' | 'lineEnd' | 'wordBoundary' | 'noWordBoundary' }
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly part: Pattern; readonly min: number; readonly max: number };

/** What a reader does with what a set of ranges cannot hold exactly. */
export interface PatternOptions {
  /** The code points of a Unicode class such as L, Nd or Greek, perhaps only some; undefined if not known. */
  readonly unicodeClass: (name: string) => CharSet | undefined;
  /** Whether (?i) may be read of ASCII letters alone. */
  readonly foldsAsciiOnly: boolean;
}

/** Nothing but what is exact. */
export const EXACT: PatternOptions = { unicodeClass: () => undefined, foldsAsciiOnly: false };

/** The pattern is well-formed for all we know, but not understood here. */
export class NotUnderstood extends Error {}
