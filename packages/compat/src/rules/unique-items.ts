// uniqueItems, which structural schemas forbid; older definitions have it.
import type { SchemaRule } from '../rule.ts';

export const uniqueItems: SchemaRule = {
  kind: 'schema',
  id: 'unique-items',
  title: 'Whether items of a list must differ changed',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['uniqueItems'],
  explanation:
    'Lists with equal items were valid and are refused when uniqueItems is set. Structural schemas do not allow the keyword at all.',
  instead: 'Use x-kubernetes-list-type: set in a new version.',
  examples: [
    { title: 'demanded', old: list({}), new: list({ uniqueItems: true }), severity: 'breaking' },
    { title: 'no longer demanded', old: list({ uniqueItems: true }), new: list({}), severity: 'safe' },
  ],
  compare: ({ old, new: next }) => {
    if ((old.uniqueItems === true) === (next.uniqueItems === true)) return [];
    return next.uniqueItems === true
      ? [{ severity: 'breaking', message: 'items must differ from each other now' }]
      : [{ severity: 'safe', message: 'items may be equal now', breaks: [] }];
  },
};

function list(more: object): object {
  return { type: 'object', properties: { names: { type: 'array', items: { type: 'string' }, ...more } } };
}
