// The maximum of a number, and whether the limit itself is allowed.
import { compareNumberLimit } from '../limits/number-limit.ts';
import type { SchemaRule } from '../rule.ts';

export const maximum: SchemaRule = {
  kind: 'schema',
  id: 'maximum',
  title: 'The maximum of a number changed',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['maximum', 'exclusiveMaximum'],
  explanation:
    'A tighter maximum refuses numbers that were valid: writes of such a number fail. Loosening the limit is fine, but cannot be undone later.',
  instead: 'Keep the limit in this version and tighten it in a new version.',
  examples: [
    { title: 'tightened', old: counted({ maximum: 10 }), new: counted({ maximum: 5 }), severity: 'breaking' },
    { title: 'introduced', old: counted({}), new: counted({ maximum: 5 }), severity: 'breaking' },
    {
      title: 'made exclusive',
      old: counted({ maximum: 5 }),
      new: counted({ maximum: 5, exclusiveMaximum: true }),
      severity: 'breaking',
    },
    {
      title: 'written differently, the same for integers',
      old: counted({ maximum: 5 }),
      new: counted({ maximum: 6, exclusiveMaximum: true }),
      severity: 'none',
    },
    { title: 'loosened', old: counted({ maximum: 5 }), new: counted({ maximum: 10 }), severity: 'safe' },
    { title: 'removed', old: counted({ maximum: 5 }), new: counted({}), severity: 'safe' },
  ],
  compare: (pair) => compareNumberLimit(pair, 'maximum'),
};

function counted(limit: object): object {
  return { type: 'object', properties: { count: { type: 'integer', ...limit } } };
}
