// A default for a field that had none.
import type { JsonValue } from '@instar/machinery';
import { mayCollide } from '../fields/default-collision.ts';
import type { SchemaRule } from '../rule.ts';
import { show } from '../walk/node-pair.ts';

export const defaultAdded: SchemaRule = {
  kind: 'schema',
  id: 'default-added',
  title: 'An existing field got a default',
  severity: 'breaking',
  breaks: ['readers', 'stored objects'],
  keywords: ['default'],
  explanation:
    'Every object without the field now reads as if it were set, including stored objects: the default is filled in when they are read. What unset meant before can no longer be expressed. This is harmless only if the controller already treated an unset field as this value, which the check cannot know. The zero value of the type ("", 0, false, an empty list or object) is only a caution, as many clients cannot distinguish it from unset; but if the parent object has alternatives or limits the number of its fields, a field that is always set can make it invalid.',
  instead:
    'Let the controller choose the default. If it always chose this value, record an exception that says so.',
  examples: [
    {
      title: 'a value that unset might not have meant',
      old: withMode({}),
      new: withMode({ default: 'fast' }),
      severity: 'breaking',
    },
    { title: 'the zero value', old: withMode({}), new: withMode({ default: '' }), severity: 'caution' },
    {
      title: 'the zero value, where only one of two fields may be set',
      old: { ...withMode({}), oneOf: [{ required: ['mode'] }, { required: ['plan'] }] },
      new: { ...withMode({ default: '' }), oneOf: [{ required: ['mode'] }, { required: ['plan'] }] },
      severity: 'unsure',
    },
  ],
  compare: ({ old, new: next, field }) => {
    if (old.default !== undefined || next.default === undefined) return [];
    if (!isZero(next.default))
      return [
        {
          severity: 'breaking',
          message: `default added: objects without the field read as ${show(next.default)}`,
        },
      ];
    const message = `default added: ${show(next.default)}, the zero value`;
    if (field === undefined || !mayCollide(field.holder, field.name))
      return [{ severity: 'caution', message }];
    return [
      {
        severity: 'unsure',
        message: `${message}; the field is now always set, and might conflict with alternatives or limits of the object`,
      },
    ];
  },
};

function isZero(value: JsonValue): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === null || value === '' || value === false || Number(value) === 0;
}

function withMode(more: object): object {
  return { type: 'object', properties: { mode: { type: 'string', ...more } } };
}
