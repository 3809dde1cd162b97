// Whether a value may be null. The API server compares null with the enum of the schema itself, and with
// nothing in allOf.
import type { JSONSchemaProps } from '@instar/schema';
import type { SchemaRule } from '../rule.ts';

export const nullable: SchemaRule = {
  kind: 'schema',
  id: 'nullable',
  title: 'Whether a value may be null changed',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['nullable', 'enum'],
  explanation:
    'null was valid and is now refused, or readers can receive null where it was not valid before. An enum that does not list null refuses it, even if nullable is true.',
  instead:
    'Keep nullable in this version, and list null in a new enum. To distinguish unset from the zero value, an optional field without null is enough.',
  examples: [
    { title: 'null is refused', old: field({ nullable: true }), new: field({}), severity: 'breaking' },
    { title: 'null is accepted', old: field({}), new: field({ nullable: true }), severity: 'caution' },
    {
      title: 'a new enum does not list null',
      old: field({ nullable: true, allOf: [{ enum: ['a', 'b'] }] }),
      new: field({ nullable: true, allOf: [{ enum: ['a', 'b'] }], enum: ['a', 'b'] }),
      severity: 'breaking',
    },
    {
      title: 'a new enum lists null',
      old: field({ nullable: true }),
      new: field({ nullable: true, enum: ['a', null] }),
      severity: 'none',
    },
  ],
  compare: ({ old, new: next }) => {
    if ((old.nullable === true) === (next.nullable === true))
      return next.nullable === true && enumRefusesNull(old, next)
        ? [{ severity: 'breaking', message: 'may no longer be null: the new enum does not list it' }]
        : [];
    return next.nullable === true
      ? [{ severity: 'caution', message: 'may now be null: readers must expect it', breaks: ['readers'] }]
      : [{ severity: 'breaking', message: 'may no longer be null' }];
  },
};

/** If the old schema has an enum itself, enum-value-removed reports that null is no longer in it. */
function enumRefusesNull(old: JSONSchemaProps, next: JSONSchemaProps): boolean {
  return isEmpty(old.enum) && !isEmpty(next.enum) && !next.enum!.includes(null);
}

const isEmpty = (list: readonly unknown[] | undefined): boolean => (list?.length ?? 0) === 0;

function field(more: object): object {
  return { type: 'object', properties: { value: { type: 'string', ...more } } };
}
