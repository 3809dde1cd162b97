// A field that came, and is optional. New fields that are required have a rule of their own.
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
    'Purely additive: who does not know the field does not send it and does not look for it. Unset, or with its default, it must mean what the old version did. Where the old schema kept unknown fields, objects may hold something else under that name, which is validated from now on.',
  instead: 'Nothing to do, if leaving the field out means the old behavior.',
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
      title: 'a default that is always there, where only one of two fields may be',
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
      title: 'a field with a type, where anything was kept before',
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
      message: `${message}; being there always, it may collide with alternatives or limits of the object`,
    };
  if (old['x-kubernetes-preserve-unknown-fields'] !== true)
    return { severity: 'safe', at: `.${name}`, message, breaks: [] };
  return {
    severity: 'caution',
    at: `.${name}`,
    message: `${message}; whatever objects hold under that name is validated now`,
  };
}
