// Moves a value, unchanged or converted. The commonest operation, so it has a fast path for the usual case:
// nothing is stashed for it and its target is free.
import { deepEqual, type JsonObject } from '@instar/machinery';
import type { Look } from '../path/look.ts';
import { keysOf, type Path, samePath } from '../path/path.ts';
import { Hole, type Slot, slotOf } from '../site/slot.ts';
import { kept, type Op, type OpRun } from './op.ts';
import { manyOf, tryConvert, UNREADABLE, type ValueReading } from './reading.ts';
import { SlotOp } from './slot-op.ts';

export const AS_IT_IS: ValueReading = { convert: (value) => value };

export interface RelocateOptions {
  readonly key: string;
  readonly text: string;
  readonly from: Path;
  readonly to: Path;
  readonly forward: ValueReading;
  readonly backward: ValueReading;
  readonly readSchema: Op['readSchema'];
}

/** One direction. */
interface RelocateDirection {
  readonly from: Slot;
  readonly to: Slot;
  readonly reading: ValueReading;
  /** Only the name changes, within one object. */
  readonly newName: string | undefined;
}

export class RelocateOp implements Op {
  readonly key: string;
  readonly text: string;
  readonly paths: readonly Path[];
  readonly readSchema: Op['readSchema'];
  readonly #forward: RelocateDirection;
  readonly #backward: RelocateDirection;
  readonly #thorough: SlotOp;

  constructor({ key, text, from, to, forward, backward, readSchema }: RelocateOptions) {
    this.key = key;
    this.text = text;
    this.paths = [from, to];
    this.readSchema = readSchema;
    const renamedTo = (path: Path): string | undefined =>
      isRename(from, to, forward, backward) ? keysOf(path).at(-1) : undefined;
    this.#forward = { from: slotOf(from), to: slotOf(to), reading: forward, newName: renamedTo(to) };
    this.#backward = { from: slotOf(to), to: slotOf(from), reading: backward, newName: renamedTo(from) };
    this.#thorough = new SlotOp({
      key,
      text,
      left: [from],
      right: [to],
      forward: manyOf(forward),
      backward: manyOf(backward),
      readSchema,
    });
  }

  forward(site: JsonObject, run: OpRun): void {
    if (!this.#quick(site, run, this.#forward, this.#backward)) this.#thorough.forward(site, run);
  }

  backward(site: JsonObject, run: OpRun): void {
    if (!this.#quick(site, run, this.#backward, this.#forward)) this.#thorough.backward(site, run);
  }

  /** What is only moved need not be inspected. */
  look(look: Look): void {
    const [from, to] = this.paths;
    if (this.#forward.reading === AS_IT_IS && this.#backward.reading === AS_IT_IS) look.moves(from!, to!);
    else this.#thorough.look(look);
  }

  #quick(
    site: JsonObject,
    run: OpRun,
    { from, to, reading, newName }: RelocateDirection,
    back: RelocateDirection,
  ): boolean {
    if (kept(run, this.key) !== undefined || to.read(site) !== undefined) return false;
    const value = from.read(site);
    if (value === undefined || value instanceof Hole) return true;
    if (newName !== undefined) {
      from.rename(site, newName, run.owned);
      return true;
    }
    const result = reading.convert(value);
    if (result === undefined || (reading !== AS_IT_IS && !comesBack(value, tryConvert(back.reading, result))))
      return false;
    to.write(site, result, run.owned);
    from.vacate(site, run.owned);
    return true;
  }
}

const comesBack = (value: Parameters<typeof deepEqual>[0], again: ReturnType<typeof tryConvert>): boolean =>
  again !== UNREADABLE && deepEqual(again, value);

function isRename(from: Path, to: Path, forward: ValueReading, backward: ValueReading): boolean {
  return forward === AS_IT_IS && backward === AS_IT_IS && samePath(from.slice(0, -1), to.slice(0, -1));
}
