// The pattern that matches the listed strings and nothing else.
import type { JsonValue } from '@instar/machinery';

export function literalPattern(values: readonly JsonValue[]): string {
  const texts = values
    .filter((value) => typeof value === 'string')
    .map((text) => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&'));
  return `^(?:${texts.join('|')})$`;
}
