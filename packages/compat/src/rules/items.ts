// Whether a list has a schema for its items. Changes of that schema are reported by the other rules, at the
// path that ends in [*].
import type { JSONSchemaProps } from '@instar/schema';
import type { SchemaRule } from '../rule.ts';
import { isSchema } from '../walk/walk-schemas.ts';

export const items: SchemaRule = {
  kind: 'schema',
  id: 'items',
  title: 'Whether items of a list have a schema changed',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['items'],
  explanation:
    'Without a schema for its items, a list accepts items of any type; with one, items that do not match are refused.',
  instead: 'Give items a schema when the list is introduced.',
  examples: [
    {
      title: 'items get a schema',
      old: list({}),
      new: list({ items: { type: 'string' } }),
      severity: 'breaking',
    },
    {
      title: 'items lose their schema',
      old: list({ items: { type: 'string' } }),
      new: list({}),
      severity: 'caution',
    },
  ],
  compare: ({ old, new: next }) => {
    const [was, is] = [hasItemSchema(old), hasItemSchema(next)];
    if (was === is || next.type !== 'array' || old.type !== 'array') return [];
    return is
      ? [{ severity: 'breaking', message: 'items of any type were accepted, and must now match a schema' }]
      : [{ severity: 'caution', message: 'items of any type are now accepted', breaks: ['readers'] }];
  },
};

function hasItemSchema({ items: schema }: JSONSchemaProps): boolean {
  return schema !== undefined && (!isSchema(schema) || Object.keys(schema).length > 0);
}

function list(more: object): object {
  return { type: 'object', properties: { names: { type: 'array', ...more } } };
}
