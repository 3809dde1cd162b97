// Whether an enum or patterns already keep a string within a length.
import type { JSONSchemaProps } from '@instar/schema';
import { inclusionOf } from '../pattern/inclusion.ts';
import { enumOf, patternsOf } from '../walk/node-pair.ts';

/** For longer limits the automata would be too large. */
const MAX_LIMIT = 300;

export function impliesLength(old: JSONSchemaProps, limit: number, side: 'maximum' | 'minimum'): boolean {
  const listed = enumOf(old);
  const patterns = patternsOf(old);
  if ((listed === undefined && patterns.length === 0) || limit > MAX_LIMIT) return false;
  const length = side === 'maximum' ? `{0,${limit}}` : `{${limit},}`;
  return inclusionOf(patterns, `^(?s:.${length})$`, { listed }).answer === 'included';
}
