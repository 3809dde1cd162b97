// One change that a client makes to an object: as data, so that it can be printed, repeated and shrunk.
import { deepCopy, encodeJson, isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { printValuePath, removeAt, setAt, type ValuePath, valueAt } from '../generate/value-path.ts';

export type Edit =
  | { readonly kind: 'set'; readonly place: ValuePath; readonly value: JsonValue }
  | { readonly kind: 'remove'; readonly place: ValuePath }
  | { readonly kind: 'append'; readonly place: ValuePath; readonly value: JsonValue }
  | { readonly kind: 'swap'; readonly place: ValuePath; readonly first: number; readonly second: number };

/** In place. False: the object has no such path. */
export function applyEdit(object: JsonObject, edit: Edit): boolean {
  const current = valueAt(object, edit.place);
  switch (edit.kind) {
    case 'set':
      return isJsonObject(valueAt(object, edit.place.slice(0, -1))) || current !== undefined
        ? setAt(object, edit.place, deepCopy(edit.value))
        : false;
    case 'remove':
      if (current !== undefined) removeAt(object, edit.place);
      return current !== undefined;
    case 'append':
      if (Array.isArray(current)) current.push(deepCopy(edit.value));
      return Array.isArray(current);
    case 'swap':
      return Array.isArray(current) && swap(current, edit.first, edit.second);
  }
}

function swap(list: JsonValue[], first: number, second: number): boolean {
  if (Math.max(first, second) >= list.length) return false;
  [list[first], list[second]] = [list[second]!, list[first]!];
  return true;
}

/** An edit in words. */
export function describeEdit(edit: Edit): string {
  const path = printValuePath(edit.place);
  switch (edit.kind) {
    case 'set':
      return `${path} was set to ${encodeJson(edit.value)}`;
    case 'remove':
      return `${path} was removed`;
    case 'append':
      return `${encodeJson(edit.value)} was appended to ${path}`;
    case 'swap':
      return `items ${edit.first} and ${edit.second} of ${path} were swapped`;
  }
}
