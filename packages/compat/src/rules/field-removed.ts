// A removed field.
import { fieldChangesOf } from '../fields/field-changes.ts';
import type { Change, SchemaRule } from '../rule.ts';
import type { NodePair } from '../walk/node-pair.ts';
import { fieldCount } from '../walk/walk-schemas.ts';

export const fieldRemoved: SchemaRule = {
  kind: 'schema',
  id: 'field-removed',
  title: 'A field was removed',
  severity: 'breaking',
  breaks: ['writers', 'readers', 'stored objects'],
  keywords: ['properties'],
  explanation:
    'The API server drops fields that the schema does not know: what objects hold there disappears at the next write, clients that set the field are refused under strict field validation and silently ignored otherwise, and clients that read it find nothing. Where x-kubernetes-preserve-unknown-fields keeps the data, the field still no longer means anything.',
  instead:
    'Keep the field in this version, say in its description that it is deprecated, and leave it out of a new version with a conversion that carries it.',
  examples: [
    {
      title: 'a field goes',
      old: { type: 'object', properties: { size: { type: 'integer' }, color: { type: 'string' } } },
      new: { type: 'object', properties: { size: { type: 'integer' } } },
      severity: 'breaking',
    },
    {
      title: 'the schema keeps what it does not know, but the field has lost its meaning',
      old: {
        type: 'object',
        properties: { color: { type: 'string' } },
        'x-kubernetes-preserve-unknown-fields': true,
      },
      new: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      severity: 'breaking',
    },
  ],
  compare: (pair) => fieldChangesOf(pair).removed.map((name) => removal(pair, name)),
};

function removal({ old, new: next }: NodePair, name: string): Change {
  const below = fieldCount(old.properties![name]!);
  const what =
    below === 0
      ? 'field removed'
      : `field removed, with ${below} ${below === 1 ? 'field' : 'fields'} below it`;
  const kept =
    next['x-kubernetes-preserve-unknown-fields'] === true
      ? '; objects keep what they hold there, unvalidated'
      : '';
  return { severity: 'breaking', at: `.${name}`, message: `${what}${kept}` };
}
