// Reads a set that another program wrote: checks the elements, makes their spelling canonical and sorts them.
// What the server itself stored needs none of this: it is a FieldSet already.
import { isJsonObject, type JsonValue } from '@instar/machinery';
import { keyElement, valueElement } from './element.ts';
import { EMPTY_SET, type FieldSet, LEAF, nodeOf, SELF } from './field-set.ts';
import { inOrder } from './order.ts';

/** Undefined if it is not a field set. */
export function decodeFieldSet(json: JsonValue | undefined): FieldSet | undefined {
  if (json === undefined || json === null) return EMPTY_SET;
  const node = decodeNode(json);
  return node === undefined ? undefined : inOrder(nodeOf(false, node) ?? EMPTY_SET);
}

function decodeNode(json: JsonValue): FieldSet | undefined {
  if (json === null) return LEAF;
  if (!isJsonObject(json)) return undefined;
  const node: Record<string, FieldSet> = {};
  for (const key of Object.keys(json)) {
    if (key === SELF) {
      node[SELF] = LEAF;
      continue;
    }
    const element = canonicalElement(key);
    if (element === undefined) return undefined;
    const child = decodeNode(json[key]!);
    if (child === undefined) return undefined;
    if (element !== '') node[element] = child;
  }
  return nodeOf(Object.hasOwn(node, SELF) || Object.keys(json).length === 0, node) ?? LEAF;
}

/** An empty text is an element of an unknown kind, which is left out. Undefined is an error. */
function canonicalElement(key: string): string | undefined {
  if (key[1] !== ':') return undefined;
  switch (key[0]) {
    case 'f':
      return key;
    case 'v':
      return parsed(key, (value) => valueElement(value));
    case 'k':
      return parsed(key, (value) =>
        isJsonObject(value)
          ? keyElement(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
          : undefined,
      );
    case 'i':
      return /^i:[+-]?\d+$/.test(key) ? `i:${Number(key.slice(2))}` : undefined;
    default:
      return '';
  }
}

function parsed(key: string, spell: (value: JsonValue) => string | undefined): string | undefined {
  try {
    return spell(JSON.parse(key.slice(2)) as JsonValue);
  } catch {
    return undefined;
  }
}
