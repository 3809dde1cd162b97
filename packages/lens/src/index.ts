// Lenses: conversions between versions as data. See docs/guides/lenses.md for how they are written.
export { analyze } from './analyze/analyze.ts';
export { type Canonical, canonicalize, type Ignored, withStatus } from './canonicalize.ts';
export type { CompiledLensSet } from './compiled-lens-set.ts';
export {
  LENS_API_VERSION,
  LENS_KIND,
  type LensDocument,
  type LensOp,
  type LensPath,
  type LensSpec,
  type LensStep,
} from './document.ts';
export { LensError, type LensErrorKind } from './lens-error.ts';
export type { ConvertOptions, LensSet, LensStepReading, WithStash } from './lens-set.ts';
export { type ParsedLens, type ParseLensOptions, parseLens } from './parse/parse-lens.ts';
export { type Difference, differencesOf } from './proof/difference.ts';
export type { Analysis, FindingKind, LensFinding, RequiredProof, Severity } from './schema/finding.ts';
export {
  STASH_ANNOTATION,
  type Stash,
  takeStash,
} from './stash/annotation.ts';
export { printSuggestions, type SuggestedStep } from './suggest/print-suggestions.ts';
export { suggest } from './suggest/suggest.ts';
export type { Suggestion } from './suggest/suggestion.ts';
