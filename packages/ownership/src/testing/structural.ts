// For tests: a structural schema from the few keywords that matter to ownership.
import type { JsonValue } from '@instar/machinery';
import type { StructuralNode } from '@instar/schema';

export interface Words {
  type?: StructuralNode['type'];
  properties?: Record<string, Words>;
  additionalProperties?: Words;
  items?: Words;
  default?: JsonValue;
  list?: 'atomic' | 'set' | 'map';
  keys?: string[];
  map?: 'granular' | 'atomic';
  open?: boolean;
  embedded?: boolean;
}

export function structural(words: Words): StructuralNode {
  return {
    type: words.type ?? 'any',
    properties:
      words.properties &&
      new Map(Object.entries(words.properties).map(([name, property]) => [name, structural(property)])),
    additionalProperties: words.additionalProperties && structural(words.additionalProperties),
    items: words.items && structural(words.items),
    preserveUnknownFields: words.open ?? false,
    embeddedResource: words.embedded ?? false,
    nullable: false,
    listType: words.list,
    listMapKeys: words.keys ?? [],
    mapType: words.map,
    default: words.default,
    patchStrategy: undefined,
    patchMergeKey: undefined,
  };
}

export const string: Words = { type: 'string' };
export const integer: Words = { type: 'integer' };
export const object = (properties: Record<string, Words>, rest: Words = {}): Words => ({
  type: 'object',
  properties,
  ...rest,
});
export const mapOf = (additionalProperties: Words, map?: 'granular' | 'atomic'): Words => ({
  type: 'object',
  additionalProperties,
  ...(map && { map }),
});
export const listOf = (items: Words, list?: 'atomic' | 'set' | 'map', keys: string[] = []): Words => ({
  type: 'array',
  items,
  keys,
  ...(list && { list }),
});
