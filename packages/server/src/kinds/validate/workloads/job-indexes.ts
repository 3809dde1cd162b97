// Lists of the indexes of an Indexed Job, such as 1,3-5,7: in rising order, below the number of completions.
import { quoteGo } from '@instar/go';

type Interval = readonly [number, number];

/** How many indexes there are, or what is wrong. */
export function countIndexes(text: string, completions: number): number | string {
  if (text === '') return 0;
  let last = -1;
  let total = 0;
  for (const part of text.split(',')) {
    const interval = parseInterval(part, completions);
    if (typeof interval === 'string') return interval;
    const [first, end] = interval;
    if (total > 0 && last >= first) return `non-increasing order, previous: ${last}, current: ${first}`;
    total += end - first + 1;
    last = end;
  }
  return total;
}

/** The first index in both lists. Parts that do not parse are skipped: they are reported elsewhere. */
export function overlapOf(completed: string, failed: string, completions: number): number | undefined {
  const [a, b] = [intervalsOf(completed, completions), intervalsOf(failed, completions)];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const [[aFirst, aEnd], [bFirst, bEnd]] = [a[i]!, b[j]!];
    if (aFirst <= bEnd && bFirst <= aEnd) return Math.max(aFirst, bFirst);
    if (aFirst <= bFirst) i++;
    else j++;
  }
  return undefined;
}

function intervalsOf(text: string, completions: number): Interval[] {
  if (text === '') return [];
  const intervals = text.split(',').map((part) => parseInterval(part, completions));
  return intervals.filter((interval): interval is Interval => typeof interval !== 'string');
}

function parseInterval(text: string, completions: number): Interval | string {
  const parts = text.split('-');
  if (parts.length > 2) {
    const rule = "an index interval can have at most two parts separated by '-'";
    return `the fragment ${quoteGo(text)} violates the requirement that ${rule}`;
  }
  const limits: number[] = [];
  for (const part of parts) {
    // A sign would be read as a hyphen, apart from a plus.
    if (!/^\+?[0-9]+$/.test(part)) return `cannot convert string to integer for index: ${quoteGo(part)}`;
    if (Number(part) >= completions) return `too large index: ${quoteGo(part)}`;
    limits.push(Number(part));
  }
  const [first, end = first] = limits as [number, number?];
  if (parts.length === 2 && first >= end!) return `non-increasing order, previous: ${first}, current: ${end}`;
  return [first, end!];
}
