// A value as text for error messages, short and without conversion rules.

import { printFloat } from '@instar/go';
import { Double, Uint } from '../values/numbers.ts';
import { typeOf } from '../values/type-of.ts';
import type { Value } from '../values.ts';

export function describe(value: Value): string {
  if (typeof value === 'string') return value.length > 200 ? `${value.slice(0, 200)}…` : value;
  if (value === null) return 'null';
  if (typeof value !== 'object') return String(value);
  if (value instanceof Uint) return String(value.value);
  return value instanceof Double ? printFloat(value.value) : typeOf(value).name;
}
