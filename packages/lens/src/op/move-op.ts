// A value goes from one place to another as it is. The commonest operation, so that it has a short way: nothing kept, nothing in its new place.
import type { JsonObject } from '@instar/machinery';
import type { Path } from '../path/path.ts';
import { kept, type Op, type Run } from './op.ts';
import type { Reading } from './reading.ts';
import { Hole, type Slot, slotOf } from './slot.ts';
import { SlotOp } from './slot-op.ts';

const AS_IT_IS: Reading = { convert: (values) => values };

export interface MoveOpOptions {
  readonly key: string;
  readonly text: string;
  readonly from: Path;
  readonly to: Path;
  readonly readSchema: Op['readSchema'];
}

export class MoveOp implements Op {
  readonly key: string;
  readonly text: string;
  readonly paths: readonly Path[];
  readonly readSchema: Op['readSchema'];
  readonly #from: Slot;
  readonly #to: Slot;
  readonly #thorough: SlotOp;

  constructor(options: MoveOpOptions) {
    const { key, text, from, to, readSchema } = options;
    this.key = key;
    this.text = text;
    this.paths = [from, to];
    this.readSchema = readSchema;
    this.#from = slotOf(from);
    this.#to = slotOf(to);
    this.#thorough = new SlotOp({ key, text, left: [from], right: [to], forward: AS_IT_IS, backward: AS_IT_IS, readSchema });
  }

  forward(site: JsonObject, run: Run): void {
    if (!this.#quick(site, run, this.#from, this.#to)) this.#thorough.forward(site, run);
  }

  backward(site: JsonObject, run: Run): void {
    if (!this.#quick(site, run, this.#to, this.#from)) this.#thorough.backward(site, run);
  }

  #quick(site: JsonObject, run: Run, from: Slot, to: Slot): boolean {
    if (kept(run, this.key) !== undefined || to.read(site) !== undefined) return false;
    const value = from.read(site);
    if (value === undefined || value instanceof Hole) return true;
    to.write(site, value, run.owned);
    from.vacate(site, run.owned);
    return true;
  }
}
