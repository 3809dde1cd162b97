// Tells whether two pieces of a definition are the same without keeping either: schemas of real projects are
// up to a megabyte of text.
import { createHash } from 'node:crypto';
import { encodeJson } from '@instar/machinery';

export function digestOf(value: unknown): string {
  return createHash('sha256').update(encodeJson(value)).digest('base64');
}
