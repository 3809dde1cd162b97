// The path to a field as Kubernetes prints it: spec.containers[0].name, metadata.labels[a.b/c].

export class FieldPath {
  readonly #parent: FieldPath | undefined;
  readonly #text: string;

  private constructor(parent: FieldPath | undefined, text: string) {
    this.#parent = parent;
    this.#text = text;
  }

  /** The empty path: what the object itself is reported under ("<nil>" upstream, "" on the wire). */
  static readonly root = new FieldPath(undefined, '');

  static of(...names: string[]): FieldPath {
    return FieldPath.root.child(...names);
  }

  child(...names: string[]): FieldPath {
    let path: FieldPath = this;
    for (const name of names) path = new FieldPath(path, path.#isRoot() ? name : `.${name}`);
    return path;
  }

  index(index: number): FieldPath {
    return new FieldPath(this, `[${index}]`);
  }

  key(key: string): FieldPath {
    return new FieldPath(this, `[${key}]`);
  }

  toString(): string {
    return this.#parent === undefined ? this.#text : `${this.#parent.toString()}${this.#text}`;
  }

  #isRoot(): boolean {
    return this.#parent === undefined && this.#text === '';
  }
}
