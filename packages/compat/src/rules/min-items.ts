// The minimum number of items in a list.
import { limitRule } from '../limits/limit-rule.ts';
import { limitOf } from '../walk/node-pair.ts';

export const minItems = limitRule({
  id: 'min-items',
  keywords: ['minItems'],
  what: 'number of items',
  side: 'minimum',
  base: { type: 'array', items: { type: 'string' } },
  set: (minItems) => ({ minItems }),
  limitOf: (schema) => limitOf(schema, 'minItems'),
  idle: 0,
});
