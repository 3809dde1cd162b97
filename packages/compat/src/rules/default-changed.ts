// A default that became another.
import { deepEqual } from '@instar/machinery';
import type { SchemaRule } from '../rule.ts';
import { show } from '../walk/node-pair.ts';

export const defaultChanged: SchemaRule = {
  kind: 'schema',
  id: 'default-changed',
  title: 'A default changed',
  severity: 'breaking',
  breaks: ['readers', 'writers'],
  keywords: ['default'],
  explanation: 'Leaving the field out means something else than before: the same manifest creates another object.',
  instead: 'Keep the default in this version and change it in a new one, whose conversion writes the old value out.',
  examples: [
    { title: 'unset means something else', old: field({ default: 'fast' }), new: field({ default: 'slow' }), severity: 'breaking' },
    { title: 'the same', old: field({ default: 'fast' }), new: field({ default: 'fast', description: 'How.' }), severity: 'none' },
  ],
  compare: ({ old, new: next }) =>
    old.default === undefined || next.default === undefined || deepEqual(old.default, next.default)
      ? []
      : [{ severity: 'breaking', message: `default changed from ${show(old.default)} to ${show(next.default)}` }],
};

function field(more: object): object {
  return { type: 'object', properties: { mode: { type: 'string', ...more } } };
}
