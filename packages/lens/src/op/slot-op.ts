// Operations from some slots of a site to others: what is in the slots on the left becomes what is in those
// on the right, and vice versa. Something is stashed if going back would not restore the original, which is
// tried immediately.
import { deepEqual, type JsonObject } from '@instar/machinery';
import { LensError } from '../lens-error.ts';
import type { Look } from '../path/look.ts';
import { type Path, samePath } from '../path/path.ts';
import { type Held, Hole, type Slot, seenIn, slotOf } from '../site/slot.ts';
import { decodeEntry, encodeEntry, type SlotEntry } from '../stash/entry.ts';
import { witnessOfAll } from '../stash/witness.ts';
import { keep, kept, type Op, type OpRun } from './op.ts';
import type { ManyReading, Value, Values } from './reading.ts';

export interface SlotOpOptions {
  readonly key: string;
  readonly text: string;
  readonly left: readonly Path[];
  readonly right: readonly Path[];
  readonly forward: ManyReading;
  readonly backward: ManyReading;
  readonly readSchema: Op['readSchema'];
}

/** One direction: which slots are read, which are written, which are left empty, and how. */
interface SlotDirection {
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly vacated: readonly number[];
  readonly reading: ManyReading;
}

export class SlotOp implements Op {
  readonly key: string;
  readonly text: string;
  readonly paths: readonly Path[];
  readonly readSchema: Op['readSchema'];
  readonly #slots: readonly Slot[];
  readonly #forward: SlotDirection;
  readonly #backward: SlotDirection;
  /** A value that stays in its slot may be in another as well. */
  readonly #leavesValues: boolean;

  constructor({ key, text, left, right, forward, backward, readSchema }: SlotOpOptions) {
    this.key = key;
    this.text = text;
    this.paths = distinct([...left, ...right]);
    this.readSchema = readSchema;
    this.#slots = this.paths.map(slotOf);
    this.#leavesValues = left.length + right.length > this.paths.length;
    this.#forward = wayOf(this.paths, left, right, forward);
    this.#backward = wayOf(this.paths, right, left, backward);
  }

  forward(site: JsonObject, run: OpRun): void {
    this.#run(site, run, this.#forward, this.#backward);
  }

  backward(site: JsonObject, run: OpRun): void {
    this.#run(site, run, this.#backward, this.#forward);
  }

  look(look: Look): void {
    for (const path of this.paths) look.sees(path);
  }

  #run(site: JsonObject, run: OpRun, way: SlotDirection, back: SlotDirection): void {
    const before = this.#slots.map((slot) => slot.read(site));
    const entry = kept(run, this.key);
    const after =
      entry === undefined
        ? apply(before, way)
        : this.#restored(site, before, way, decodeEntry(entry, before.length));
    this.#write(site, before, after, run);
    if (this.#leavesValues) run.owned.forget();
    if (!returns(before, after, back)) keep(run, this.key, this.#entry(site, before, after));
  }

  /**
   * What was stashed counts while its visible part is unchanged and its parent exists. A changed part wins.
   */
  #restored(site: JsonObject, before: Held[], way: SlotDirection, { w, d, v }: SlotEntry): Held[] {
    const isAsItWas = w === witnessOfAll(before) && this.#slots.every((slot, i) => slot.depth(site) >= d[i]!);
    return isAsItWas ? [...v] : apply(before, way, v);
  }

  #entry(site: JsonObject, before: Held[], after: Held[]): JsonObject {
    return encodeEntry({ w: witnessOfAll(after), d: this.#slots.map((slot) => slot.depth(site)), v: before });
  }

  /** Values first: an object that gets a field and loses another is never empty in between. */
  #write(site: JsonObject, before: Held[], after: Held[], { owned }: OpRun): void {
    for (let i = 0; i < after.length; i++) {
      const held = after[i];
      if (held !== before[i] && held !== undefined && !(held instanceof Hole))
        this.#slots[i]!.write(site, held, owned);
    }
    for (let i = 0; i < after.length; i++) {
      const held = after[i];
      if (held === undefined && seenIn(before[i]) !== undefined) this.#slots[i]!.vacate(site, owned);
      else if (held instanceof Hole && held !== before[i]) this.#slots[i]!.dig(site, held, owned);
    }
  }
}

function wayOf(
  places: readonly Path[],
  from: readonly Path[],
  to: readonly Path[],
  reading: ManyReading,
): SlotDirection {
  const indexes = (paths: readonly Path[]): number[] =>
    paths.map((path) => places.findIndex((place) => samePath(place, path)));
  const [read, written] = [indexes(from), indexes(to)];
  return { from: read, to: written, vacated: read.filter((place) => !written.includes(place)), reading };
}

function distinct(paths: readonly Path[]): Path[] {
  return paths.filter((path, index) => paths.findIndex((other) => samePath(other, path)) === index);
}

/**
 * The content of the slots after the operation. If there is nothing to convert, everything stays unchanged.
 */
function apply(held: readonly Held[], way: SlotDirection, before?: readonly Held[]): Held[] {
  const after = held.slice();
  const from = valuesAt(held, way.from);
  if (from.every(isNothing)) return after;
  const results = before === undefined ? way.reading.convert(from) : over(from, way, before);
  for (const place of way.vacated) if (!(held[place] instanceof Hole)) after[place] = undefined;
  for (let i = 0; i < way.to.length; i++) {
    const place = way.to[i]!;
    if (results[i] !== undefined || !(held[place] instanceof Hole)) after[place] = results[i];
  }
  return after;
}

const isNothing = (value: Value): boolean => value === undefined;

function valuesAt(held: readonly Held[], places: readonly number[]): Value[] {
  const values: Value[] = [];
  for (let i = 0; i < places.length; i++) values.push(seenIn(held[places[i]!]));
  return values;
}

function over(from: Values, { to, reading }: SlotDirection, before: readonly Held[]): Values {
  return reading.convertOver === undefined
    ? reading.convert(from)
    : reading.convertOver(from, valuesAt(before, to));
}

/** Whether the reverse restores the original, so that nothing needs to be stashed. */
function returns(before: readonly Held[], after: readonly Held[], back: SlotDirection): boolean {
  const again = tried(after, back);
  if (again === undefined) return false;
  for (let i = 0; i < before.length; i++) {
    if (!isSame(before[i], again[i]) || (before[i] instanceof Hole && !isSame(before[i], after[i])))
      return false;
  }
  return true;
}

function isSame(a: Held, b: Held): boolean {
  if (a instanceof Hole || b instanceof Hole)
    return a instanceof Hole && b instanceof Hole && a.depth === b.depth && deepEqual(a.value, b.value);
  return deepEqual(a, b);
}

/** Undefined if the reverse cannot read the result. */
function tried(after: readonly Held[], back: SlotDirection): Held[] | undefined {
  try {
    return apply(after, back);
  } catch (error) {
    if (error instanceof LensError) return undefined;
    throw error;
  }
}
