// Lenses: conversions between versions as data. See docs/guides/lenses.md for how they are written.
export { type Canonical, canonicalise, type Ignored, withStatus } from './canonicalise.ts';
export * from './document.ts';
export { LensError, type LensErrorKind } from './lens-error.ts';
export type { ConvertOptions, LensSet, LensStepReading, Stash, WithStash } from './lens-set.ts';
export { type ParsedLens, type ParseLensOptions, parseLens } from './parse/parse-lens.ts';
export { DEFAULT_MAX_STASH_BYTES, putStash, STASH_ANNOTATION, takeStash } from './stash/annotation.ts';
