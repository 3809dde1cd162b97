// Whether listed values or patterns keep a string within a length already.
import type { JSONSchemaProps } from '@instar/schema';
import { inclusionOf } from '../pattern/inclusion.ts';
import { enumOf, patternsOf } from '../walk/node-pair.ts';

/** Longer ones are not worth building automata for. */
const LONGEST = 300;

export function impliesLength(old: JSONSchemaProps, limit: number, side: 'maximum' | 'minimum'): boolean {
  const listed = enumOf(old);
  const patterns = patternsOf(old);
  if ((listed === undefined && patterns.length === 0) || limit > LONGEST) return false;
  const length = side === 'maximum' ? `{0,${limit}}` : `{${limit},}`;
  return inclusionOf(patterns, `^(?s:.${length})$`, { listed }).answer === 'included';
}
