// Whether a list has a schema for its items. How that schema changed is said by the other rules, at the path
// that ends in [*].
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
    'Items of any kind were valid where no schema was given for them; with one, others are refused.',
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
    const [was, is] = [describes(old), describes(next)];
    if (was === is || next.type !== 'array' || old.type !== 'array') return [];
    return is
      ? [{ severity: 'breaking', message: 'items of any kind were taken, and must match a schema now' }]
      : [{ severity: 'caution', message: 'items of any kind are taken now', breaks: ['readers'] }];
  },
};

function describes({ items: schema }: JSONSchemaProps): boolean {
  return schema !== undefined && (!isSchema(schema) || Object.keys(schema).length > 0);
}

function list(more: object): object {
  return { type: 'object', properties: { names: { type: 'array', ...more } } };
}
