// Digests of parts of a definition, so that they can be compared without being kept in memory: schemas of
// real projects have up to a megabyte of text.
import { createHash } from 'node:crypto';
import { encodeJson } from '@instar/machinery';

export function digestOf(value: unknown): string {
  return createHash('sha256').update(encodeJson(value)).digest('base64');
}
