// Lists and maps as format() writes them, in both of its versions: they differ in how an element is written
// and in what follows a key.
import { work } from '../meter.ts';
import { compareStrings } from '../stdlib/compare.ts';
import { CelError } from '../values/error.ts';
import type { CelList } from '../values/list.ts';
import type { CelMap } from '../values/map.ts';
import type { Value } from '../values.ts';

type TextOf = (value: Value) => string | CelError;

export function listText(list: CelList, textOf: TextOf): string | CelError {
  const parts: string[] = [];
  for (const element of list) {
    const text = textOf(element);
    if (text instanceof CelError) return text;
    work(8 + (text.length >> 4));
    parts.push(text);
  }
  return `[${parts.join(', ')}]`;
}

export function mapText(map: CelMap, textOf: TextOf, afterKey: ':' | ': '): string | CelError {
  const entries: [string, string][] = [];
  for (const key of map.keys()) {
    const [name, value] = [textOf(key), textOf(map.get(key)!)];
    if (name instanceof CelError) return name;
    if (value instanceof CelError) return value;
    work(8 + (value.length >> 4));
    entries.push([name, value]);
  }
  entries.sort(([a], [b]) => compareStrings(a, b));
  return `{${entries.map(([key, value]) => `${key}${afterKey}${value}`).join(', ')}}`;
}
