// What the analysis of a lens says about one field.

/** What a finding about a lens is about. */
export type FindingKind =
  /** An operation names a field that the schema does not have. */
  | 'unknown-field'
  /**
   * A value would have a type that the other schema does not allow there, or an operation cannot work on it.
   */
  | 'type'
  /** The other version requires the field, and nothing guarantees a value. */
  | 'required'
  /** No operation mentions the field and the other version has no such field: it would be pruned. */
  | 'missing'
  /** What this direction cannot carry: it is stashed. */
  | 'lossy'
  /** The other version allows less than this one. */
  | 'narrower'
  /** The other version has a field that gets no value. */
  | 'unfilled'
  /** No operation mentions the field: it is carried over unchanged. */
  | 'carried';

/** How serious a finding about a lens is. */
export type Severity = 'error' | 'warning' | 'info';

/** One statement of the analysis of a lens. */
export interface LensFinding {
  readonly kind: FindingKind;
  readonly severity: Severity;
  /** The version that the objects come from. */
  readonly from: string;
  /** The version that they go to. */
  readonly to: string;
  readonly path: string;
  /** The operation that it is about, if any. */
  readonly op?: string;
  readonly message: string;
}

/** Why a field that a version requires has a value in everything that comes from another. */
export interface RequiredProof {
  readonly from: string;
  readonly to: string;
  readonly path: string;
  readonly because: string;
}

/** What reading a lens against the schemas of a definition has shown. */
export interface Analysis {
  readonly findings: readonly LensFinding[];
  readonly proofs: readonly RequiredProof[];
  /**
   * No errors: everything that is valid in one version can be converted, loses nothing and has what the other
   * requires.
   */
  readonly isComplete: boolean;
  /** Versions that the lens has and for which no schema was given. */
  readonly withoutSchema: readonly string[];
}
