// The path to a field as Kubernetes prints it: spec.containers[0].name, metadata.labels[a.b/c].

/** What stands before and behind a name, by what it is a name of. */
const AROUND = { first: ['', ''], child: ['.', ''], item: ['[', ']'] } as const;

export class FieldPath {
  readonly #parent: FieldPath | undefined;
  readonly #name: string | number;
  readonly #around: readonly [before: string, after: string];

  /** Makes no text yet: most paths are made for a fault that is not there. */
  private constructor(
    parent: FieldPath | undefined,
    name: string | number,
    around: readonly [string, string],
  ) {
    this.#parent = parent;
    this.#name = name;
    this.#around = around;
  }

  /** The empty path: what the object itself is reported under ("<nil>" upstream, "" on the wire). */
  static readonly root = new FieldPath(undefined, '', AROUND.first);

  static of(...names: string[]): FieldPath {
    return FieldPath.root.child(...names);
  }

  child(...names: string[]): FieldPath {
    let path: FieldPath = this;
    for (const name of names)
      path = new FieldPath(path, name, path === FieldPath.root ? AROUND.first : AROUND.child);
    return path;
  }

  index(index: number): FieldPath {
    return new FieldPath(this, index, AROUND.item);
  }

  key(key: string): FieldPath {
    return new FieldPath(this, key, AROUND.item);
  }

  toString(): string {
    const [before, after] = this.#around;
    return `${this.#parent?.toString() ?? ''}${before}${this.#name}${after}`;
  }
}
