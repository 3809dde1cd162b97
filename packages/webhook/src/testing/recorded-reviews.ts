// The reviews that a real API server sent, out of the recordings beside the repository.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@instar/machinery';

const shared =
  process.env['INSTAR_SHARED'] ?? fileURLToPath(new URL('../../../../../shared', import.meta.url));

export interface Recorded {
  readonly where: string;
  readonly review: JsonObject;
}

/** Only those that are whole: some recordings keep no more than the names of the fields. */
export function recordedReviews(kind: 'AdmissionReview' | 'ConversionReview'): Recorded[] {
  const folder = join(shared, 'conformance', 'expected');
  if (!existsSync(folder)) return [];
  const area = kind === 'AdmissionReview' ? 'admission' : 'conversion';
  return readdirSync(folder)
    .filter((file) => file.startsWith(area))
    .flatMap((file) => found(JSON.parse(readFileSync(join(folder, file), 'utf8')), kind, file));
}

function found(value: unknown, kind: string, where: string): Recorded[] {
  if (typeof value !== 'object' || value === null) return [];
  const { kind: said, request } = value as { kind?: unknown; request?: { uid?: unknown } };
  if (said === kind && typeof request === 'object' && typeof request?.uid === 'string')
    return [{ where, review: value as JsonObject }];
  return Object.entries(value).flatMap(([key, member]) => found(member, kind, `${where} ${key}`));
}
