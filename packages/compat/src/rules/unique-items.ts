// uniqueItems, which structural schemas forbid; older definitions have it.
import type { SchemaRule } from '../rule.ts';

export const uniqueItems: SchemaRule = {
  kind: 'schema',
  id: 'unique-items',
  title: 'Whether items of a list must be unique changed',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['uniqueItems'],
  explanation:
    'With uniqueItems, lists with equal items are refused, which were valid before. Structural schemas do not allow the keyword at all.',
  instead: 'Use x-kubernetes-list-type: set in a new version.',
  examples: [
    { title: 'required', old: list({}), new: list({ uniqueItems: true }), severity: 'breaking' },
    { title: 'no longer required', old: list({ uniqueItems: true }), new: list({}), severity: 'safe' },
  ],
  compare: ({ old, new: next }) => {
    if ((old.uniqueItems === true) === (next.uniqueItems === true)) return [];
    return next.uniqueItems === true
      ? [{ severity: 'breaking', message: 'items must now be unique' }]
      : [{ severity: 'safe', message: 'items no longer have to be unique', breaks: [] }];
  },
};

function list(more: object): object {
  return { type: 'object', properties: { names: { type: 'array', items: { type: 'string' }, ...more } } };
}
