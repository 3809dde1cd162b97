// Whether a broken rule is ratcheted in an update: its value must be unchanged or, if it is not correlated
// with an old value, the nearest enclosing value that is.
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
    // Both objects are in the version of the request, so apiVersion and kind never show a change.
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
