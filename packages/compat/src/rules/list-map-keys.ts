// The fields that identify items of a list.
import type { SchemaRule } from '../rule.ts';

export const listMapKeys: SchemaRule = {
  kind: 'schema',
  id: 'list-map-keys',
  title: 'The keys of a list changed',
  severity: 'breaking',
  breaks: ['writers', 'stored objects', 'appliers'],
  keywords: ['x-kubernetes-list-map-keys'],
  explanation:
    'With fewer keys, items that differed become duplicates, and such lists are refused. Other keys change which items server-side apply merges, and the recorded managedFields no longer match.',
  instead: 'Keep the keys. A new key needs a default, and even then only a new version is safe.',
  examples: [
    { title: 'another key', old: list(['name']), new: list(['name', 'port']), severity: 'breaking' },
    { title: 'another order', old: list(['name', 'port']), new: list(['port', 'name']), severity: 'none' },
  ],
  compare: ({ old, new: next }) => {
    const [was, is] = [old, next].map((schema) =>
      [...(schema['x-kubernetes-list-map-keys'] ?? [])].sort().join(', '),
    ) as [string, string];
    // Without keys before or after, the list type changed: that has a rule of its own.
    return was === is || was === '' || is === ''
      ? []
      : [
          {
            severity: 'breaking',
            message: `items were identified by ${was}, and are now identified by ${is}`,
          },
        ];
  },
};

function list(keys: string[]): object {
  const items = {
    type: 'object',
    required: keys,
    properties: { name: { type: 'string' }, port: { type: 'integer' } },
  };
  return {
    type: 'object',
    properties: {
      ports: { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys },
    },
  };
}
