// A list of objects without a list type.
import { isSchema } from '../../walk/walk-schemas.ts';
import type { NodeLintRule } from '../lint-rule.ts';

export const listOfObjects: NodeLintRule = {
  kind: 'node',
  id: 'list-of-objects',
  title: 'A list of objects without a list type',
  explanation:
    'Without x-kubernetes-list-type a list is atomic: two field managers that apply parts of it overwrite each other. If it becomes a map later, lists with duplicates are refused.',
  instead: 'Set x-kubernetes-list-type: map with keys, or atomic if one field manager owns the whole list.',
  profiles: { default: 'warning', 'gateway-api': 'warning', strict: 'error' },
  examples: [
    {
      title: 'no list type',
      spec: {
        type: 'object',
        properties: {
          ports: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
        },
      },
      found: true,
    },
    {
      title: 'strings',
      spec: { type: 'object', properties: { names: { type: 'array', items: { type: 'string' } } } },
      found: false,
    },
  ],
  look: ({ schema }) =>
    schema.type === 'array' &&
    isSchema(schema.items) &&
    schema.items.type === 'object' &&
    schema['x-kubernetes-list-type'] === undefined
      ? 'is a list of objects without x-kubernetes-list-type'
      : undefined,
};
