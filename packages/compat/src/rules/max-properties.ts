// The maximum number of keys in a map.
import { limitRule } from '../limits/limit-rule.ts';
import { limitOf } from '../walk/node-pair.ts';

export const maxProperties = limitRule({
  id: 'max-properties',
  keywords: ['maxProperties'],
  what: 'number of keys',
  side: 'maximum',
  base: { type: 'object', additionalProperties: { type: 'string' } },
  set: (maxProperties) => ({ maxProperties }),
  limitOf: (schema) => limitOf(schema, 'maxProperties'),
});
