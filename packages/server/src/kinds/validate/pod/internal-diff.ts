// How errors show what differs between two values of a struct: as lines of JSON with those around them, in
// the unified format. Fields have the names that upstream's internal types have.
import { encodeJson, type JsonValue } from '@instar/machinery';
import { internalJson } from './internal-json.ts';

const CONTEXT = 3;
/** Longer texts are compared by their common start and end only. */
const MAX_COMPARED = 400;

export function diffOf(type: string, before: object, after: object): string {
  const lines = (value: object): string[] =>
    encodeJson(internalJson(type, value as unknown as JsonValue) as object, 1).split('\n');
  return unified(lines(before), lines(after));
}

type Edit = readonly [mark: ' ' | '-' | '+', line: string];

function unified(before: readonly string[], after: readonly string[]): string {
  const edits = editsOf(before, after);
  const changed = edits.flatMap(([mark], index) => (mark === ' ' ? [] : [index]));
  let text = '';
  for (let i = 0; i < changed.length; ) {
    let last = i;
    while (last + 1 < changed.length && changed[last + 1]! - changed[last]! <= 2 * CONTEXT + 1) last++;
    const from = Math.max(0, changed[i]! - CONTEXT);
    const to = Math.min(edits.length, changed[last]! + CONTEXT + 1);
    text += hunk(edits, from, to);
    i = last + 1;
  }
  return text;
}

function hunk(edits: readonly Edit[], from: number, to: number): string {
  const count = (list: readonly Edit[], other: '-' | '+') => list.filter(([mark]) => mark !== other).length;
  const head = edits.slice(0, from);
  const body = edits.slice(from, to);
  const range = (other: '-' | '+') => `${count(head, other) + 1},${count(body, other)}`;
  const lines = body.map(([mark, line]) => `${mark}${line}\n`).join('');
  return `@@ -${range('+')} +${range('-')} @@\n${lines}`;
}

/** A shortest way from one list of lines to the other: what is removed comes before what is added. */
function editsOf(before: readonly string[], after: readonly string[]): Edit[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const longest = Math.min(before.length, after.length) - start;
  while (end < longest && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const keep = (lines: readonly string[]): Edit[] => lines.map((line) => [' ', line]);
  return [
    ...keep(before.slice(0, start)),
    ...middleEdits(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...keep(end === 0 ? [] : before.slice(-end)),
  ];
}

function middleEdits(a: readonly string[], b: readonly string[]): Edit[] {
  if (a.length > MAX_COMPARED || b.length > MAX_COMPARED)
    return [...a.map((line): Edit => ['-', line]), ...b.map((line): Edit => ['+', line])];
  const common = longestCommon(a, b);
  const edits: Edit[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      edits.push([' ', a[i]!]);
      i++;
      j++;
    } else if (i < a.length && (j === b.length || common[i + 1]![j]! >= common[i]![j + 1]!))
      edits.push(['-', a[i++]!]);
    else edits.push(['+', b[j++]!]);
  }
  return edits;
}

/** By how far each list has been read: the number of lines that the rests have in common. */
function longestCommon(a: readonly string[], b: readonly string[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      table[i]![j] =
        a[i] === b[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!);
  return table;
}
