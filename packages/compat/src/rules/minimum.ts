// The minimum of a number, and whether the limit itself is allowed.
import { compareNumberLimit } from '../limits/number-limit.ts';
import type { SchemaRule } from '../rule.ts';

export const minimum: SchemaRule = {
  kind: 'schema',
  id: 'minimum',
  title: 'The minimum of a number changed',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['minimum', 'exclusiveMinimum'],
  explanation:
    'A tighter minimum refuses numbers that were valid: writes of such a number fail. Loosening the limit is fine, but cannot be undone later.',
  instead: 'Keep the limit in this version and tighten it in a new version.',
  examples: [
    { title: 'tightened', old: counted({ minimum: 5 }), new: counted({ minimum: 10 }), severity: 'breaking' },
    { title: 'introduced', old: counted({}), new: counted({ minimum: 10 }), severity: 'breaking' },
    {
      title: 'made exclusive',
      old: counted({ minimum: 5 }),
      new: counted({ minimum: 5, exclusiveMinimum: true }),
      severity: 'breaking',
    },
    {
      title: 'written differently, the same for integers',
      old: counted({ minimum: 5 }),
      new: counted({ minimum: 4, exclusiveMinimum: true }),
      severity: 'none',
    },
    { title: 'loosened', old: counted({ minimum: 10 }), new: counted({ minimum: 5 }), severity: 'safe' },
    { title: 'removed', old: counted({ minimum: 10 }), new: counted({}), severity: 'safe' },
  ],
  compare: (pair) => compareNumberLimit(pair, 'minimum'),
};

function counted(limit: object): object {
  return { type: 'object', properties: { count: { type: 'integer', ...limit } } };
}
