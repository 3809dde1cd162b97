// A new optional field. New required fields have their own rule.
import { mayCollide } from '../fields/default-collision.ts';
import { fieldChangesOf } from '../fields/field-changes.ts';
import type { Change, SchemaRule } from '../rule.ts';
import { type NodePair, requiredOf, show } from '../walk/node-pair.ts';
import { fieldCount } from '../walk/walk-schemas.ts';

export const fieldAdded: SchemaRule = {
  kind: 'schema',
  id: 'field-added',
  title: 'An optional field was added',
  severity: 'unsure',
  breaks: ['stored objects'],
  keywords: ['properties'],
  explanation:
    'Purely additive: clients that do not know the field neither send it nor read it. Unset, or with its default, it must mean the old behavior. If the old schema preserved unknown fields, stored objects may already have a value under that name, which is now validated.',
  instead: 'Nothing to do, if an unset field means the old behavior.',
  examples: [
    {
      title: 'an optional field whose default is the old behavior',
      old: { type: 'object', properties: { size: { type: 'integer' } } },
      new: {
        type: 'object',
        properties: { size: { type: 'integer' }, awesomenessLevel: { type: 'string', default: 'none' } },
      },
      severity: 'safe',
    },
    {
      title: 'a field that its default always sets, where only one of two may be set',
      old: {
        type: 'object',
        properties: { b: { type: 'string' } },
        oneOf: [{ required: ['a'] }, { required: ['b'] }],
      },
      new: {
        type: 'object',
        properties: { a: { type: 'string', default: 'x' }, b: { type: 'string' } },
        oneOf: [{ required: ['a'] }, { required: ['b'] }],
      },
      severity: 'unsure',
    },
    {
      title: 'a field with a type, where unknown fields were preserved',
      old: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      new: {
        type: 'object',
        properties: { size: { type: 'integer' } },
        'x-kubernetes-preserve-unknown-fields': true,
      },
      severity: 'caution',
    },
  ],
  compare: (pair) => {
    const required = requiredOf(pair.new);
    return fieldChangesOf(pair)
      .added.filter((name) => !required.has(name))
      .map((name) => addition(pair, name));
  },
};

function addition({ old, new: next }: NodePair, name: string): Change {
  const schema = next.properties![name]!;
  const below = fieldCount(schema);
  const details = [
    ...(below > 0 ? [`with ${below} ${below === 1 ? 'field' : 'fields'} below it`] : []),
    ...(schema.default === undefined ? [] : [`default ${show(schema.default)}`]),
  ];
  const message = ['optional field added', ...details].join(', ');
  if (schema.default !== undefined && mayCollide(next, name))
    return {
      severity: 'unsure',
      at: `.${name}`,
      message: `${message}; it is always set, and might conflict with alternatives or limits of the object`,
    };
  if (old['x-kubernetes-preserve-unknown-fields'] !== true)
    return { severity: 'safe', at: `.${name}`, message, breaks: [] };
  return {
    severity: 'caution',
    at: `.${name}`,
    message: `${message}; existing values under that name are now validated`,
  };
}
