// The minimum length of a string.
import { impliesLength } from '../limits/implied-length.ts';
import { limitRule } from '../limits/limit-rule.ts';
import { limitOf } from '../walk/node-pair.ts';

export const minLength = limitRule({
  id: 'min-length',
  keywords: ['minLength'],
  what: 'length',
  side: 'minimum',
  base: { type: 'string' },
  set: (minLength) => ({ minLength }),
  limitOf: (schema) => limitOf(schema, 'minLength'),
  idle: 0,
  isImplied: (old, limit) => impliesLength(old, limit, 'minimum'),
});
