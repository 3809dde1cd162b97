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
    'The enum was opened: everything that was valid still is, but readers built for the list meet values that they do not know. It cannot be closed again in this version.',
  instead: 'Say in the description what happens with a value that an implementation does not know.',
  examples: [{ title: 'opened', old: field({ enum: ['round'] }), new: field({}), severity: 'caution' }],
  compare: ({ old, new: next }) =>
    enumOf(old) === undefined || enumOf(next) !== undefined
      ? []
      : [{ severity: 'caution', message: 'enum removed: any value is taken, and readers may not know it' }],
};

function field(more: object): object {
  return { type: 'object', properties: { type: { type: 'string', ...more } } };
}
