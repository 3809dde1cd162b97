// Texts to try if a rule wants a kind of string that its schema does not describe.
import type { Dice } from '../dice.ts';
import { formatted } from '../formats.ts';
import { emit } from '../pattern/emit.ts';
import { patternTreeOf } from '../pattern/parse.ts';
import type { ParsedRule } from './parsed-rule.ts';

const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';
const COMMON = [
  'a',
  'example',
  'example.com',
  'example.com/a',
  '*.example.com',
  'https://example.com',
  'https://example.com/a',
  'http://example.com:8080',
  'quay.io/a/b@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  'quay.io/a/b',
  '10.0.0.1',
  '2001:db8::1',
  '10.0.0.0/16',
  '2001:db8::/64',
  '5s',
  '10m',
  '1Gi',
  '100',
  '1.2.3',
  'v1.2.3',
  'key: value',
  '/path',
  'RootDevice',
  PEM,
  '',
];

export function guessedText(rule: ParsedRule, dice: Dice): string {
  const { patterns, texts } = rule;
  if (patterns.length > 0 && dice.chance(50)) return ofPattern(dice.pick(patterns), dice);
  if (texts.length > 0 && dice.chance(40)) return combined(texts, dice);
  return dice.chance(10)
    ? formatted(dice.pick(['uuid', 'date-time', 'mac', 'email']), dice)!
    : dice.pick(COMMON);
}

function ofPattern(pattern: string, dice: Dice): string {
  const tree = patternTreeOf(pattern);
  return tree === undefined ? dice.pick(COMMON) : emit(tree, dice, dice.pick([0, 1, 3, 8, 36]));
}

/** A text of the rule by itself, or as the beginning or the end of another. */
function combined(texts: readonly string[], dice: Dice): string {
  const text = dice.pick(texts);
  switch (dice.int(0, 4)) {
    case 0:
      return `${text}${dice.pick(COMMON)}`;
    case 1:
      return `${dice.pick(COMMON)}${text}`;
    case 2:
      return `a${text}b`;
    default:
      return text;
  }
}
