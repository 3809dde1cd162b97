// Loop and bound variables while the estimate walks through an expression.
import type { SizeEstimate } from './range.ts';
import type { EntrySize } from './sizes.ts';

export interface LocalVariable {
  readonly path: readonly string[];
  readonly size: SizeEstimate | undefined;
  readonly entries: EntrySize | undefined;
}

export class Locals {
  private readonly stacks = new Map<string, LocalVariable[]>();

  get(name: string): LocalVariable | undefined {
    return this.stacks.get(name)?.at(-1);
  }

  within<T>(name: string, variable: LocalVariable, then: () => T): T {
    const stack = this.stacks.get(name) ?? [];
    this.stacks.set(name, stack);
    stack.push(variable);
    const result = then();
    stack.pop();
    return result;
  }

  withinAll<T>(variables: readonly (readonly [string, LocalVariable])[], then: () => T): T {
    const [first, ...rest] = variables;
    return first === undefined ? then() : this.within(first[0], first[1], () => this.withinAll(rest, then));
  }
}
