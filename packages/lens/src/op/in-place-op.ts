// Operations on one field that stays in position, or is added and removed there. They never create the object
// that contains it: without that, nothing is done.
import { deepEqual, type JsonObject } from '@instar/machinery';
import type { Look } from '../path/look.ts';
import type { Path } from '../path/path.ts';
import { type Slot, seenIn, slotOf } from '../site/slot.ts';
import { decodeEntry, encodeEntry, type SlotEntry } from '../stash/entry.ts';
import { witnessOfAll } from '../stash/witness.ts';
import { keep, kept, type Op, type OpRun } from './op.ts';
import { tryConvert, UNREADABLE, type Value, type ValueReading } from './reading.ts';

export interface InPlaceOptions {
  readonly key: string;
  readonly text: string;
  readonly path: Path;
  readonly forward: ValueReading;
  readonly backward: ValueReading;
  /** The stash is discarded when these change, though the operation does not touch them. */
  readonly belongsTo?: readonly Path[];
  readonly readSchema: Op['readSchema'];
}

export class InPlaceOp implements Op {
  readonly key: string;
  readonly text: string;
  readonly paths: readonly Path[];
  readonly readSchema: Op['readSchema'];
  readonly #slot: Slot;
  readonly #beside: readonly Slot[];
  readonly #forward: ValueReading;
  readonly #backward: ValueReading;

  constructor({ key, text, path, forward, backward, belongsTo = [], readSchema }: InPlaceOptions) {
    this.key = key;
    this.text = text;
    this.paths = [path, ...belongsTo];
    this.readSchema = readSchema;
    this.#slot = slotOf(path);
    this.#beside = belongsTo.map(slotOf);
    this.#forward = forward;
    this.#backward = backward;
  }

  forward(site: JsonObject, run: OpRun): void {
    this.#run(site, run, this.#forward, this.#backward);
  }

  backward(site: JsonObject, run: OpRun): void {
    this.#run(site, run, this.#backward, this.#forward);
  }

  /** Values are compared; what they belong to counts only for what is kept. */
  look(look: Look): void {
    const [path, ...belongsTo] = this.paths;
    look.sees(path!);
    for (const beside of belongsTo) look.passes(beside);
  }

  #run(site: JsonObject, run: OpRun, way: ValueReading, back: ValueReading): void {
    if (!this.#slot.hasParent(site)) return;
    const before = this.#slot.value(site);
    const entry = kept(run, this.key);
    const after =
      entry === undefined ? way.convert(before) : this.#restored(site, before, way, decodeEntry(entry, 1));
    if (after !== before) this.#slot.put(site, after, run.owned);
    const again = tryConvert(back, after);
    if (again === UNREADABLE || !deepEqual(again, before))
      keep(run, this.key, this.#entry(site, before, after));
  }

  /** What was stashed counts while its visible part is unchanged. A changed part wins. */
  #restored(site: JsonObject, before: Value, way: ValueReading, { w, v }: SlotEntry): Value {
    if (w === this.#witness(site, before)) return seenIn(v[0]);
    return way.convertOver === undefined ? way.convert(before) : way.convertOver(before, seenIn(v[0]));
  }

  #entry(site: JsonObject, before: Value, after: Value): JsonObject {
    return encodeEntry({ w: this.#witness(site, after), d: [0], v: [before] });
  }

  #witness(site: JsonObject, value: Value): string {
    return witnessOfAll(
      this.#beside.length === 0 ? [value] : [value, ...this.#beside.map((slot) => slot.value(site))],
    );
  }
}
