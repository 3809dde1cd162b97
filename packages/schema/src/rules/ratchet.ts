// Whether a broken rule is forgiven during an update: its value must be as it was, or, if it belongs to no
// old value, the nearest value around it that does.
import type { Correlation } from '../ratchet/correlation.ts';

export class Ratchet {
  static readonly none = new Ratchet(undefined, undefined);
  readonly #current: Correlation | undefined;
  /** Undefined at the root. */
  readonly #nearest: Correlation | undefined;

  private constructor(current: Correlation | undefined, nearest: Correlation | undefined) {
    this.#current = current;
    this.#nearest = nearest;
  }

  static of(root: Correlation | undefined): Ratchet {
    return root === undefined ? Ratchet.none : new Ratchet(root, undefined);
  }

  field(name: string): Ratchet {
    if (this.#current === undefined) return this;
    // Both sides are shown in the version of the request, so that type and version tell nothing about a
    // change.
    if (this.#nearest === undefined && (name === 'apiVersion' || name === 'kind')) return Ratchet.none;
    return new Ratchet(this.#current.field(name), this.#current);
  }

  item(index: number): Ratchet {
    return this.#current === undefined ? this : new Ratchet(this.#current.item(index), this.#current);
  }

  isUnchanged(): boolean {
    return (this.#current ?? this.#nearest)?.isUnchanged() === true;
  }
}
