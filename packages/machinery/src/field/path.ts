// The path to a field as Kubernetes prints it: spec.containers[0].name, metadata.labels[a.b/c].

/** The text before and after a name. */
const DELIMITERS = { first: ['', ''], child: ['.', ''], item: ['[', ']'] } as const;

/** The path to a field; immutable, printed as Kubernetes does. */
export class FieldPath {
  readonly #parent: FieldPath | undefined;
  readonly #name: string | number;
  readonly #delimiters: readonly [before: string, after: string];

  /** Builds no text yet: most paths are never printed. */
  private constructor(
    parent: FieldPath | undefined,
    name: string | number,
    delimiters: readonly [string, string],
  ) {
    this.#parent = parent;
    this.#name = name;
    this.#delimiters = delimiters;
  }

  /** The empty path, for errors of the object itself ("<nil>" upstream, "" on the wire). */
  static readonly root = new FieldPath(undefined, '', DELIMITERS.first);

  static of(...names: string[]): FieldPath {
    return FieldPath.root.child(...names);
  }

  child(...names: string[]): FieldPath {
    let path: FieldPath = this;
    for (const name of names)
      path = new FieldPath(path, name, path === FieldPath.root ? DELIMITERS.first : DELIMITERS.child);
    return path;
  }

  index(index: number): FieldPath {
    return new FieldPath(this, index, DELIMITERS.item);
  }

  key(key: string): FieldPath {
    return new FieldPath(this, key, DELIMITERS.item);
  }

  toString(): string {
    const [before, after] = this.#delimiters;
    return `${this.#parent?.toString() ?? ''}${before}${this.#name}${after}`;
  }
}
