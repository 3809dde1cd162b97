// A field that was optional and is now required.
import { fieldChangesOf, isServerField } from '../fields/field-changes.ts';
import type { Change, SchemaRule } from '../rule.ts';
import { type NodePair, requiredOf, show } from '../walk/node-pair.ts';

const SIZE = { size: { type: 'integer' } };

export const requiredAdded: SchemaRule = {
  kind: 'schema',
  id: 'required-added',
  title: 'An optional field became required',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['required'],
  explanation:
    'Objects without the field were valid; creating one is now refused, and so is updating a stored one. If the field has a default, it is filled in before validation, and clients do not notice.',
  instead:
    'Leave it optional in this version, and give it a default or let the controller report in a condition that it is missing.',
  examples: [
    {
      title: 'an existing field becomes required',
      old: { type: 'object', properties: SIZE },
      new: { type: 'object', required: ['size'], properties: SIZE },
      severity: 'breaking',
    },
    {
      title: 'it has a default',
      old: { type: 'object', properties: { size: { type: 'integer', default: 1 } } },
      new: { type: 'object', required: ['size'], properties: { size: { type: 'integer', default: 1 } } },
      severity: 'safe',
    },
  ],
  compare: (pair) => {
    const was = requiredOf(pair.old);
    const { added, renamed } = fieldChangesOf(pair);
    const came = new Set([...added, ...renamed.map(({ to }) => to)]);
    return [...requiredOf(pair.new)]
      .filter((name) => !was.has(name) && !came.has(name) && !isServerField(pair, name))
      .map((name) => requirement(pair, name));
  },
};

function requirement({ new: next }: NodePair, name: string): Change {
  const value = Object.hasOwn(next.properties ?? {}, name) ? next.properties![name]!.default : undefined;
  if (value === undefined)
    return { severity: 'breaking', at: `.${name}`, message: 'optional field became required' };
  return {
    severity: 'safe',
    at: `.${name}`,
    message: `became required, with the default ${show(value)}`,
    breaks: [],
  };
}
