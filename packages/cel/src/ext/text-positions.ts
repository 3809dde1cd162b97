// Searches and slices text by code points. Text without surrogates, which is nearly all, is not split.
import { workAhead } from '../meter.ts';
import { failure } from '../values/error.ts';
import { codePoints } from '../values/size.ts';
import type { Value } from '../values.ts';

const outOfRange = (position: number) => failure(`index out of range: ${position}`);

/** The unit at which the code point at `position` starts. */
function unitOf(text: string, position: number, size: number): number {
  if (size === text.length) return position;
  let unit = 0;
  for (let count = 0; count < position; count++) unit += text.codePointAt(unit)! > 0xffff ? 2 : 1;
  return unit;
}

const positionAt = (text: string, unit: number, size: number): number =>
  unit < 0 ? -1 : size === text.length ? unit : codePoints(text.slice(0, unit));

export function positionOf(text: string, part: string, from: number): Value {
  workAhead(text.length);
  if (from < 0) return outOfRange(from);
  const size = codePoints(text);
  if (part === '') return Math.min(from, size);
  if (from >= size) return -1;
  return positionAt(text, text.indexOf(part, unitOf(text, from, size)), size);
}

export function lastPositionOf(text: string, part: string, from: number | undefined): Value {
  workAhead(text.length);
  if (from !== undefined && from < 0) return outOfRange(from);
  const size = codePoints(text);
  if (part === '') return Math.min(from ?? size, size);
  if (from !== undefined && from >= size) return -1;
  const start = from === undefined ? text.length : unitOf(text, from, size);
  return positionAt(text, text.lastIndexOf(part, start), size);
}

export function substringOf(text: string, start: number, end: number | undefined): Value {
  workAhead(text.length >> 1);
  const size = codePoints(text);
  if (end !== undefined && start > end)
    return failure(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0 || start > size) return outOfRange(start);
  if (end !== undefined && (end < 0 || end > size)) return outOfRange(end);
  return text.slice(unitOf(text, start, size), end === undefined ? undefined : unitOf(text, end, size));
}
