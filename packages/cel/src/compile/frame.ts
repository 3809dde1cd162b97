// The state of one evaluation: its variables, its loop variables, and what it has cost so far.
import { costExceeded } from '../meter.ts';
import type { Value } from '../values.ts';

/**
 * Values of variables by name, as the host has them; each is read by its declared type when an expression
 * uses it.
 */
export type Activation = Readonly<Record<string, unknown>>;

export class Frame {
  readonly activation: Activation;
  readonly locals: (Value | undefined)[];
  readonly limit: number;
  cost = 0;

  constructor(activation: Activation, locals: number, limit: number) {
    this.activation = activation;
    this.locals = locals === 0 ? noLocals : new Array<Value | undefined>(locals).fill(undefined);
    this.limit = limit;
  }

  /** For costs that depend on values, and so may be large. */
  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.limit) throw costExceeded;
  }
}

const noLocals: (Value | undefined)[] = [];

export type Run = (frame: Frame) => Value;
