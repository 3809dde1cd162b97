// Patterns of strings, compared by what they match.
import { inclusionOf } from '../pattern/inclusion.ts';
import type { Change, SchemaRule } from '../rule.ts';
import { enumOf, limitOf, type NodePair, patternsOf } from '../walk/node-pair.ts';

export const pattern: SchemaRule = {
  kind: 'schema',
  id: 'pattern',
  title: 'The pattern of a string changed',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['pattern'],
  explanation:
    'A pattern that does not match all that the old one matched refuses strings that were valid. Both are compared as automata: either the new pattern matches every string that the old one matches, or the shortest string that it does not match is shown. Patterns with word boundaries, or too large to compare, are reported as unsure.',
  instead: 'Keep the pattern in this version; a pattern that matches more is safe.',
  examples: [
    {
      title: 'tightened',
      old: field({ pattern: '^[a-z0-9]+$' }),
      new: field({ pattern: '^[a-z]+$' }),
      severity: 'breaking',
    },
    { title: 'introduced', old: field({}), new: field({ pattern: '^[a-z]+$' }), severity: 'breaking' },
    {
      title: 'loosened',
      old: field({ pattern: '^[a-z]+$' }),
      new: field({ pattern: '^[a-z0-9]+$' }),
      severity: 'safe',
    },
    {
      title: 'written differently',
      old: field({ pattern: '^(a|b)+$' }),
      new: field({ pattern: '^[ab][ab]*$' }),
      severity: 'safe',
    },
    {
      title: 'matches all listed values',
      old: field({ enum: ['a', 'b'] }),
      new: field({ pattern: '^[a-z]$' }),
      severity: 'safe',
    },
    {
      title: 'cannot be decided',
      old: field({ pattern: '\\bx\\b' }),
      new: field({ pattern: '\\bx' }),
      severity: 'unsure',
    },
    { title: 'removed', old: field({ pattern: '^[a-z]+$' }), new: field({}), severity: 'safe' },
  ],
  compare: (pair) => {
    const [was, is] = [patternsOf(pair.old), patternsOf(pair.new)];
    const came = is.filter((one) => !was.includes(one));
    if (came.length > 0) return came.map((one) => comparison(pair, was, one));
    return was.every((one) => is.includes(one))
      ? []
      : [{ severity: 'safe', message: 'pattern removed', breaks: [] }];
  },
};

function comparison({ old }: NodePair, was: readonly string[], is: string): Change {
  const message =
    was.length === 0 ? `pattern ${is} introduced` : `pattern changed from ${was.join(' and ')} to ${is}`;
  const inclusion = inclusionOf(was, is, {
    listed: enumOf(old),
    minLength: limitOf(old, 'minLength') ?? 0,
    maxLength: limitOf(old, 'maxLength') ?? Number.POSITIVE_INFINITY,
  });
  switch (inclusion.answer) {
    case 'included':
      return {
        severity: 'safe',
        message: `${message}; it matches everything that was valid before`,
        breaks: [],
      };
    case 'refused':
      return {
        severity: 'breaking',
        message,
        evidence: [{ text: `${JSON.stringify(inclusion.witness)} was valid and is refused` }],
      };
    case 'unsure':
      return {
        severity: 'unsure',
        message: `${message}; whether it matches everything that was valid before could not be decided: ${inclusion.reason}`,
      };
  }
}

function field(more: object): object {
  return { type: 'object', properties: { name: { type: 'string', ...more } } };
}
