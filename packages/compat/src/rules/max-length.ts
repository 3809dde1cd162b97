// The maximum length of a string.
import { impliesLength } from '../limits/implied-length.ts';
import { limitRule } from '../limits/limit-rule.ts';
import { limitOf } from '../walk/node-pair.ts';

export const maxLength = limitRule({
  id: 'max-length',
  keywords: ['maxLength'],
  what: 'length',
  side: 'maximum',
  base: { type: 'string' },
  set: (maxLength) => ({ maxLength }),
  limitOf: (schema) => limitOf(schema, 'maxLength'),
  isImplied: (old, limit) => impliesLength(old, limit, 'maximum'),
});
