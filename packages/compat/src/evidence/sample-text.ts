// Generates strings that a schema is likely to accept: of its format, its pattern and its length.
import type { JSONSchemaProps } from '@instar/schema';
import { limitOf, patternsOf } from '../walk/node-pair.ts';
import type { Hints } from './hints.ts';
import { textMatching } from './pattern-text.ts';
import type { Random } from './random.ts';

const BY_FORMAT: ReadonlyMap<string, readonly string[]> = new Map([
  ['date-time', ['2024-01-02T03:04:05Z', '2030-12-31T23:59:59Z']],
  ['date', ['2024-01-02']],
  ['duration', ['5s', '1h']],
  ['uri', ['https://example.org/a']],
  ['email', ['a@example.org']],
  ['hostname', ['example.org']],
  ['ipv4', ['10.0.0.1']],
  ['ipv6', ['2001:db8::1']],
  ['cidr', ['10.0.0.0/8']],
  ['mac', ['00:00:5e:00:53:01']],
  ['uuid', ['123e4567-e89b-12d3-a456-426614174000']],
  ['byte', ['YQ==']],
]);
const PLAIN = [
  '',
  'a',
  'b',
  'example',
  'A',
  'a-b',
  'a.b',
  '10.0.0.1',
  '10.0.0.0/8',
  '2001:db8::/32',
  '5s',
  '1Gi',
  'x/y',
  'https://example.org',
  '*',
];

export function textFor(schema: JSONSchemaProps, random: Random, hints: Hints): string {
  const ofFormat = BY_FORMAT.get(schema.format ?? '');
  if (ofFormat !== undefined) return random.pick(ofFormat);
  const [pattern] = patternsOf(schema);
  if (hints.texts.length > 0 && random.chance(0.5)) return random.pick(hints.texts);
  const matching = pattern === undefined ? undefined : textMatching(pattern, random);
  return fitted(matching ?? random.pick(PLAIN), schema, random);
}

function fitted(text: string, schema: JSONSchemaProps, random: Random): string {
  const min = limitOf(schema, 'minLength') ?? 0;
  const max = limitOf(schema, 'maxLength') ?? Number.POSITIVE_INFINITY;
  // Sometimes as long as allowed: rules often differ at limits.
  const wanted = max < 2000 && random.chance(0.1) ? max : min;
  const padded = text.length < wanted ? text.padEnd(Math.min(wanted, 5000), text.at(-1) ?? 'a') : text;
  return padded.length > max ? padded.slice(0, max) : padded;
}
