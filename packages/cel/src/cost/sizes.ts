// Sizes that follow from the expression itself or from a type.
import type { Expr } from '../ast.ts';
import { sizeOf } from '../values/size.ts';
import { type CelType, isOptionalType } from '../values/types.ts';
import { fixed, one, type SizeEstimate, unionRange } from './range.ts';

/** What is known about the keys (or indices) and values of a list or map. */
export interface EntrySize {
  readonly container: 'list' | 'map';
  readonly key: SizeEstimate;
  readonly value: SizeEstimate;
}

export function unionEntries(a: EntrySize | undefined, b: EntrySize | undefined): EntrySize | undefined {
  if (a === undefined || b === undefined) return undefined;
  return { container: a.container, key: unionRange(a.key, b.key), value: unionRange(a.value, b.value) };
}

export function sizeOfLiteral(expr: Expr): SizeEstimate | undefined {
  switch (expr.kind) {
    case 'literal':
      return fixed(sizeOf(expr.value));
    case 'list':
      return fixed(expr.elements.length);
    case 'map':
      return fixed(expr.entries.length);
    case 'ident':
    case 'select':
    case 'call':
    case 'struct':
    case 'comprehension':
      return undefined;
  }
}

const scalars = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

export function sizeOfType(type: CelType): SizeEstimate | undefined {
  if (scalars.has(type.kind)) return one;
  return isOptionalType(type) ? sizeOfType(type.params[0]!) : undefined;
}
