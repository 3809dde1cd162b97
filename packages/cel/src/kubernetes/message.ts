/**
 * The result of a messageExpression, if it is valid: one line, not empty and not too long. Otherwise the
 * rule's own message is used.
 */
import { utf8Length } from '@instar/go';
import { maxMessageBytes } from './limits.ts';
import type { RuleOutcome } from './rule.ts';

export function messageOf(outcome: RuleOutcome): string | undefined {
  if (typeof outcome.value !== 'string') return undefined;
  const text = outcome.value.trim();
  const usable = text !== '' && !text.includes('\n') && utf8Length(text) <= maxMessageBytes;
  return usable ? text : undefined;
}
