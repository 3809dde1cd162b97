// A list of values that is no longer enforced.
import type { SchemaRule } from '../rule.ts';
import { enumOf } from '../walk/node-pair.ts';

export const enumRemoved: SchemaRule = {
  kind: 'schema',
  id: 'enum-removed',
  title: 'A field is no longer limited to listed values',
  severity: 'caution',
  breaks: ['readers'],
  keywords: ['enum'],
  explanation:
    'The enum was opened: everything that was valid still is, but readers that were built for the list can receive values that they do not know. It cannot be closed again in this version.',
  instead: 'Document in the description what an implementation does with a value that it does not know.',
  examples: [{ title: 'opened', old: field({ enum: ['round'] }), new: field({}), severity: 'caution' }],
  compare: ({ old, new: next }) =>
    enumOf(old) === undefined || enumOf(next) !== undefined
      ? []
      : [
          {
            severity: 'caution',
            message: 'enum removed: any value is accepted, and readers might not know it',
          },
        ],
};

function field(more: object): object {
  return { type: 'object', properties: { type: { type: 'string', ...more } } };
}
