// A new required field.
import { mayCollide } from '../fields/default-collision.ts';
import { fieldChangesOf } from '../fields/field-changes.ts';
import type { Change, SchemaRule } from '../rule.ts';
import { type NodePair, requiredOf, show } from '../walk/node-pair.ts';

export const newRequiredField: SchemaRule = {
  kind: 'schema',
  id: 'new-required-field',
  title: 'A required field was added',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['properties', 'required'],
  explanation:
    'Existing clients do not set the field, so every create is refused, and every update of a stored object too. A new object cannot be written through the old version without losing the field. A default makes the field effectively optional: it is filled in before validation. In Go, a struct that is not a pointer is required in the same way.',
  instead:
    'Make the field optional, with unset or a default meaning the old behavior (in Go: a pointer, omitempty, +optional).',
  examples: [
    {
      title: 'a new required field',
      old: { type: 'object', properties: { size: { type: 'integer' } } },
      new: {
        type: 'object',
        required: ['color'],
        properties: { size: { type: 'integer' }, color: { type: 'string' } },
      },
      severity: 'breaking',
    },
    {
      title: 'a struct that is not optional',
      old: {
        type: 'object',
        properties: { roundConfig: { type: 'object', properties: { radius: { type: 'integer' } } } },
      },
      new: {
        type: 'object',
        required: ['squareConfig'],
        properties: {
          roundConfig: { type: 'object', properties: { radius: { type: 'integer' } } },
          squareConfig: { type: 'object', properties: { sideLength: { type: 'integer' } } },
        },
      },
      severity: 'breaking',
    },
    {
      title: 'required, but with a default',
      old: { type: 'object', properties: { size: { type: 'integer' } } },
      new: {
        type: 'object',
        required: ['color'],
        properties: { size: { type: 'integer' }, color: { type: 'string', default: 'red' } },
      },
      severity: 'safe',
    },
  ],
  compare: (pair) => {
    const required = requiredOf(pair.new);
    const { added, renamed } = fieldChangesOf(pair);
    const came = [...added, ...renamed.map(({ to }) => to)];
    return came.filter((name) => required.has(name)).map((name) => requirement(pair, name));
  },
};

function requirement({ old, new: next }: NodePair, name: string): Change {
  const { default: value } = next.properties![name]!;
  if (value === undefined) return { severity: 'breaking', at: `.${name}`, message: 'new required field' };
  const message = `new required field, with the default ${show(value)}`;
  if (mayCollide(next, name))
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
    breaks: ['stored objects'],
  };
}
