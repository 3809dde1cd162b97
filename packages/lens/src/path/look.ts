// How far the operations of a lens look into objects: collected from them, and compiled for the sparse
// reader. What no operation inspects may stay bytes. Inspecting too much is fine, too little is not.
import { hashOfName, MemberProjection, OPAQUE, type Projection, WHOLE } from '@instar/machinery';
import { ITEMS, isWildcard, type Path, type Segment, VALUES } from './path.ts';

type Move = readonly [Look, Look];

/** One path, and what is below it. */
export class Look {
  readonly #outer: Look | undefined;
  readonly #inner = new Map<string, Look>();
  /** Of all paths together. */
  readonly #moves: Move[];
  #isWhole = false;

  constructor(outer?: Look) {
    this.#outer = outer;
    this.#moves = outer === undefined ? [] : outer.#moves;
  }

  below(path: Path): Look {
    return path.reduce<Look>((look, segment) => look.#next(segment), this);
  }

  /** The value there is compared, or converted. */
  sees(path: Path): void {
    this.below(path).#isWhole = true;
  }

  /** Whether there is a value, and where it would be. */
  passes(path: Path): void {
    this.below(path);
  }

  /** A value is moved between the two, in either direction, unchanged. */
  moves(from: Path, to: Path): void {
    this.#moves.push([this.below(from), this.below(to)]);
  }

  /** Of the outermost, when every operation has reported. */
  projection(): Projection {
    this.#widen();
    // What is inspected at one path may have come from another.
    while (this.#moves.some(([from, to]) => from.#widenWith(to)));
    return this.#projection();
  }

  #next(segment: Segment): Look {
    const key = isWildcard(segment) ? segment : `.${segment.key}`;
    let next = this.#inner.get(key);
    if (next === undefined) this.#inner.set(key, (next = new Look(this)));
    return next;
  }

  /** If the sparse reader could not do it otherwise, everything is inspected. */
  #widen(): void {
    if (!isReadable([...this.#inner.keys()])) this.#isWhole = true;
    for (const inner of this.#inner.values()) inner.#widen();
  }

  get #isLookedInto(): boolean {
    return this.#inner.size > 0 || this.#isInWhole;
  }

  get #isInWhole(): boolean {
    if (this.#isWhole || this.#outer === undefined) return this.#isWhole;
    return this.#outer.#isInWhole;
  }

  #projection(): Projection {
    if (this.#isWhole) return WHOLE;
    const [items, values] = [this.#inner.get(ITEMS), this.#inner.get(VALUES)];
    if (items !== undefined) return { ...WHOLE, items: items.#projection() };
    if (values !== undefined) return { ...WHOLE, values: values.#projection() };
    if (this.#inner.size === 0) return OPAQUE;
    return {
      ...WHOLE,
      names: new MemberProjection(
        [...this.#inner].map(([key, inner]) => [key.slice(1), inner.#projection()]),
      ),
    };
  }

  /** What moves between two paths is inspected as a whole if either is. True if that is new. */
  #widenWith(other: Look): boolean {
    if (!this.#isLookedInto && !other.#isLookedInto) return false;
    const isNew = !this.#isInWhole || !other.#isInWhole;
    this.#isWhole = true;
    other.#isWhole = true;
    return isNew;
  }
}

/**
 * Either items, or values, or names that the reader can distinguish from one another and from those that it
 * generates, which begin with a quote.
 */
function isReadable(keys: readonly string[]): boolean {
  if (keys.some((key) => key === ITEMS || key === VALUES)) return keys.length === 1;
  const hashes = new Set(keys.map((key) => hashOfName(key.slice(1))));
  return hashes.size === keys.length && !keys.some((key) => key.startsWith('."'));
}
