// A field that accepted any value and now accepts only listed ones.
import { inclusionOf } from '../pattern/inclusion.ts';
import { literalPattern } from '../pattern/literal.ts';
import type { SchemaRule } from '../rule.ts';
import { enumOf, patternsOf, show } from '../walk/node-pair.ts';

export const enumAdded: SchemaRule = {
  kind: 'schema',
  id: 'enum-added',
  title: 'A field was limited to listed values',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['enum'],
  explanation:
    'Values that are not listed were valid and are now refused. A list of exactly what the old pattern matched changes nothing.',
  instead:
    'List the values in the description, and let the controller report others in a condition; close the list in a new version.',
  examples: [
    {
      title: 'a string becomes an enum',
      old: field({}),
      new: field({ enum: ['round'] }),
      severity: 'breaking',
    },
    {
      title: 'the old pattern matched the same values',
      old: field({ pattern: '^(round|square)$' }),
      new: field({ enum: ['round', 'square'] }),
      severity: 'safe',
    },
  ],
  compare: ({ old, new: next }) => {
    const is = enumOf(next);
    if (is === undefined || enumOf(old) !== undefined) return [];
    const message = `limited to ${is.map(show).join(', ')}`;
    const patterns = patternsOf(old);
    const isImplied = patterns.length > 0 && inclusionOf(patterns, literalPattern(is)).answer === 'included';
    return [
      isImplied
        ? { severity: 'safe', message: `${message}, as the pattern did before`, breaks: [] }
        : { severity: 'breaking', message },
    ];
  },
};

function field(more: object): object {
  return { type: 'object', properties: { type: { type: 'string', ...more } } };
}
