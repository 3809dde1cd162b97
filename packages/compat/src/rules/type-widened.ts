// A type that accepts everything that the old one accepted, and more.
import type { SchemaRule } from '../rule.ts';
import { type NodeType, typeOf } from '../walk/type-of.ts';

export const typeWidened: SchemaRule = {
  kind: 'schema',
  id: 'type-widened',
  title: 'The type of a field accepts more than before',
  severity: 'caution',
  breaks: ['readers'],
  keywords: ['type', 'x-kubernetes-int-or-string'],
  explanation:
    'Everything that was valid still is. Clients built for the old type fail to decode an object as soon as a client writes a value that only the new type accepts: a string where they expect an integer, a fraction where they expect an integer.',
  instead:
    'Make sure that all known clients decode the wider type before any client writes it; otherwise use a new field or a new version.',
  examples: [
    {
      title: 'a string may be a number',
      old: field({ type: 'string' }),
      new: field({ 'x-kubernetes-int-or-string': true }),
      severity: 'caution',
    },
    {
      title: 'fractions are allowed',
      old: field({ type: 'integer' }),
      new: field({ type: 'number' }),
      severity: 'caution',
    },
    {
      title: 'an object becomes any value',
      old: field({ type: 'object', properties: {} }),
      new: field({ 'x-kubernetes-preserve-unknown-fields': true }),
      severity: 'caution',
    },
  ],
  compare: ({ old, new: next }) => {
    const [was, is] = [typeOf(old), typeOf(next)];
    return isWider(was, is) ? [{ severity: 'caution', message: `type widened from ${was} to ${is}` }] : [];
  },
};

export function isWider(was: NodeType, is: NodeType): boolean {
  if (was === is) return false;
  if (is === 'any') return true;
  return is === 'int-or-string'
    ? was === 'string' || was === 'integer'
    : is === 'number' && was === 'integer';
}

function field(schema: object): object {
  return { type: 'object', properties: { value: schema } };
}
