// Whether null may stand for a value.
import type { SchemaRule } from '../rule.ts';

export const nullable: SchemaRule = {
  kind: 'schema',
  id: 'nullable',
  title: 'Whether a value may be null changed',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['nullable'],
  explanation: 'null was valid and is refused, or readers meet null where there never was any.',
  instead:
    'Keep nullable in this version. To tell unset from the zero value, an optional field without null is enough.',
  examples: [
    { title: 'null is refused', old: field({ nullable: true }), new: field({}), severity: 'breaking' },
    { title: 'null is taken', old: field({}), new: field({ nullable: true }), severity: 'caution' },
  ],
  compare: ({ old, new: next }) => {
    if ((old.nullable === true) === (next.nullable === true)) return [];
    return next.nullable === true
      ? [{ severity: 'caution', message: 'may be null now: readers must expect it', breaks: ['readers'] }]
      : [{ severity: 'breaking', message: 'may no longer be null' }];
  },
};

function field(more: object): object {
  return { type: 'object', properties: { value: { type: 'string', ...more } } };
}
