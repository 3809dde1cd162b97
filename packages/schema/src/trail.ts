// The current location of a walk over an object. A FieldPath is built only when there is something to report.
import { FieldPath } from '@instar/machinery';

export class Trail {
  readonly #root: FieldPath;
  readonly #steps: (string | number)[] = [];
  /** Whether a step is a key of a map, printed in brackets. */
  readonly #keyed: boolean[] = [];

  constructor(root: FieldPath = FieldPath.root) {
    this.#root = root;
  }

  enter(step: string | number): void {
    this.#steps.push(step);
    this.#keyed.push(false);
  }

  enterKey(key: string): void {
    this.#steps.push(key);
    this.#keyed.push(true);
  }

  leave(): void {
    this.#steps.pop();
    this.#keyed.pop();
  }

  path(): FieldPath {
    return this.#steps.reduce<FieldPath>((path, step, index) => {
      if (typeof step === 'number') return path.index(step);
      return this.#keyed[index] ? path.key(step) : path.child(step);
    }, this.#root);
  }
}
