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
    'The API server prunes fields that the schema does not specify: stored values disappear at the next write; clients that set the field are refused under strict field validation, and otherwise their value is silently dropped; clients that read it find nothing. With x-kubernetes-preserve-unknown-fields the data is kept, but the field no longer has a meaning.',
  instead:
    'Keep the field in this version, document in its description that it is deprecated, and leave it out of a new version whose conversion preserves the value.',
  examples: [
    {
      title: 'a field is removed',
      old: { type: 'object', properties: { size: { type: 'integer' }, color: { type: 'string' } } },
      new: { type: 'object', properties: { size: { type: 'integer' } } },
      severity: 'breaking',
    },
    {
      title: 'the data is preserved as an unknown field, but the field has lost its meaning',
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
    next['x-kubernetes-preserve-unknown-fields'] === true ? '; objects keep its value, unvalidated' : '';
  return { severity: 'breaking', at: `.${name}`, message: `${what}${kept}` };
}
