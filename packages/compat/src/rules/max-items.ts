// The maximum number of items in a list.
import { limitRule } from '../limits/limit-rule.ts';
import { limitOf } from '../walk/node-pair.ts';

export const maxItems = limitRule({
  id: 'max-items',
  keywords: ['maxItems'],
  what: 'number of items',
  side: 'maximum',
  base: { type: 'array', items: { type: 'string' } },
  set: (maxItems) => ({ maxItems }),
  limitOf: (schema) => limitOf(schema, 'maxItems'),
});
