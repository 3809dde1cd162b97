// Why an object could not be converted by a lens. Thrown for one object; it says nothing about others.

/** Why a conversion by a lens failed. */
export type LensErrorKind =
  /** A value is not what an operation needs: of another type, not in its table, without the separator. */
  | 'value'
  /** What would have to be stashed is more than an annotation may hold. */
  | 'stash-size'
  /** The stash is not one of ours, or was damaged. */
  | 'stash-malformed'
  | 'unknown-version'
  /** The object is of another group. */
  | 'wrong-group';

/** A conversion by a lens that failed. */
export class LensError extends Error {
  override readonly name = 'LensError';
  readonly kind: LensErrorKind;
  /** The field, where there is one. */
  readonly path: string | undefined;

  constructor(kind: LensErrorKind, message: string, path?: string) {
    super(path === undefined ? message : `${path}: ${message}`);
    this.kind = kind;
    this.path = path;
  }
}
