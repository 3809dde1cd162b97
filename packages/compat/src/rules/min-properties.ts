// The minimum number of keys in a map.
import { limitRule } from '../limits/limit-rule.ts';
import { limitOf } from '../walk/node-pair.ts';

export const minProperties = limitRule({
  id: 'min-properties',
  keywords: ['minProperties'],
  what: 'number of keys',
  side: 'minimum',
  base: { type: 'object', additionalProperties: { type: 'string' } },
  set: (minProperties) => ({ minProperties }),
  limitOf: (schema) => limitOf(schema, 'minProperties'),
  idle: 0,
});
