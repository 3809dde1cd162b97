// A default that is no longer filled in.
import type { SchemaRule } from '../rule.ts';
import { show } from '../walk/node-pair.ts';

export const defaultRemoved: SchemaRule = {
  kind: 'schema',
  id: 'default-removed',
  title: 'A default was removed',
  severity: 'breaking',
  breaks: ['readers', 'writers'],
  keywords: ['default'],
  explanation:
    'Readers could rely on the field being set; objects without it are now read without it, and are refused if it is required. Stored objects keep the value that was filled in when they were written, so old and new objects differ in meaning.',
  instead: 'Keep the default, or move it into the controller in a new version.',
  examples: [
    { title: 'no longer filled in', old: field({ default: 'fast' }), new: field({}), severity: 'breaking' },
  ],
  compare: ({ old, new: next }) =>
    old.default === undefined || next.default !== undefined
      ? []
      : [
          {
            severity: 'breaking',
            message: `default ${show(old.default)} removed: objects without the field stay without it`,
          },
        ],
};

function field(more: object): object {
  return { type: 'object', properties: { mode: { type: 'string', ...more } } };
}
