// Searches for a text that its schema and all its rules accept, by guessing from what these rules mention.

import { encodeBase64, encodeUtf8 } from '@instar/go';
import type { JSONSchemaProps } from '@instar/schema';
import type { Dice } from '../dice.ts';
import { acceptsWithRules } from '../node-check.ts';
import { stringFor } from '../strings.ts';
import { guessedText } from './guesses.ts';
import { type ParsedRule, parsedRule } from './parsed-rule.ts';

const GUESSES = 60;
const BODIES = [
  '',
  'a',
  'a1',
  'example',
  '\nMIIBszCCAVmgAwIBAgIUQ2VydGlmaWNhdGUgZm9yIHRlc3RzIGFsb25lAAAAAAAwCgYIKoZIzj0E\n',
  '0123456789abcdef0',
];

/** The best guess, if none is accepted. */
export function searchText(schema: JSONSchemaProps, dice: Dice): string {
  const rules = (schema['x-kubernetes-validations'] ?? []).flatMap(({ rule }) => parsedRule(rule) ?? []);
  let text = stringFor(schema, dice);
  for (let attempt = 0; attempt < GUESSES && !acceptsWithRules(schema, text); attempt++) {
    const plain = guess(rules, dice);
    text =
      schema.format === 'byte'
        ? encodeBase64(encodeUtf8(plain))
        : attempt % 4 === 0
          ? stringFor(schema, dice)
          : plain;
  }
  return text;
}

function guess(rules: readonly ParsedRule[], dice: Dice): string {
  const [starts, ends] = [
    rules.flatMap(({ prefixes }) => prefixes),
    rules.flatMap(({ suffixes }) => suffixes),
  ];
  if (starts.length + ends.length > 0 && dice.chance(60)) {
    const [start, end] = [
      starts.length === 0 ? '' : dice.pick(starts),
      ends.length === 0 ? '' : dice.pick(ends),
    ];
    return `${start}${dice.pick(BODIES)}${end}`;
  }
  return rules.length === 0 ? '' : guessedText(dice.pick(rules), dice);
}
