// Reading a set that somebody else wrote: checks the elements, brings them to their canonical spelling and
// into order. What the server itself stored needs none of this: it is a FieldSet as it stands.
import { isJsonObject, type JsonValue } from '@instar/machinery';
import { keyElement, valueElement } from './element.ts';
import { EMPTY_SET, type FieldSet, LEAF, nodeOf, SELF } from './field-set.ts';
import { inOrder } from './order.ts';

/** undefined if it is no field set. */
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

/**
 * An empty text stands for an element of a kind that is not known (yet): it is left out. undefined is a
 * fault.
 */
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
