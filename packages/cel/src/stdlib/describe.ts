// A value as text for error messages, short and without conversion rules.

import { Double, Uint } from '../values/numbers.ts';
import { typeOf } from '../values/type-of.ts';
import type { Value } from '../values.ts';
import { formatDouble } from './number-text.ts';

export function describe(value: Value): string {
  if (typeof value === 'string') return value.length > 200 ? `${value.slice(0, 200)}…` : value;
  if (value === null) return 'null';
  if (typeof value !== 'object') return String(value);
  if (value instanceof Uint) return String(value.value);
  return value instanceof Double ? formatDouble(value.value) : typeOf(value).name;
}
