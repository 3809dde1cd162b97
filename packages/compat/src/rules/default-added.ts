// A default for a field that had none.
import type { JsonValue } from '@instar/machinery';
import type { SchemaRule } from '../rule.ts';
import { show } from '../walk/node-pair.ts';

export const defaultAdded: SchemaRule = {
  kind: 'schema',
  id: 'default-added',
  title: 'An existing field got a default',
  severity: 'breaking',
  breaks: ['readers', 'stored objects'],
  keywords: ['default'],
  explanation:
    'From now on every object that leaves the field out reads as if somebody had set it, stored ones too: the default is filled in when they are read. What unset meant before can no longer be said. This is harmless only if the controller treated an unset field as this very value; the check cannot know that. The zero value of the type ("", 0, false, an empty list or object) is a caution only, as many clients cannot tell it from unset.',
  instead: 'Let the controller choose the default. If it always did choose this value, record an exception that says so.',
  examples: [
    { title: 'a value that unset may not have meant', old: field({}), new: field({ default: 'fast' }), severity: 'breaking' },
    { title: 'the zero value', old: field({}), new: field({ default: '' }), severity: 'caution' },
  ],
  compare: ({ old, new: next }) => {
    if (old.default !== undefined || next.default === undefined) return [];
    if (isZero(next.default)) return [{ severity: 'caution', message: `default added: ${show(next.default)}, the zero value` }];
    return [{ severity: 'breaking', message: `default added: objects without the field read as ${show(next.default)}` }];
  },
};

function isZero(value: JsonValue): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === null || value === '' || value === false || Number(value) === 0;
}

function field(more: object): object {
  return { type: 'object', properties: { mode: { type: 'string', ...more } } };
}
