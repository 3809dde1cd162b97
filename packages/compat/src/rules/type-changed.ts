// A type that does not accept everything that the old one accepted.
import type { Change, SchemaRule } from '../rule.ts';
import type { NodePair } from '../walk/node-pair.ts';
import { impliedTypeOf, type NodeType, typeOf } from '../walk/type-of.ts';
import { isWider } from './type-widened.ts';

export const typeChanged: SchemaRule = {
  kind: 'schema',
  id: 'type-changed',
  title: 'The type of a field changed',
  severity: 'breaking',
  breaks: ['writers', 'readers', 'stored objects'],
  keywords: ['type', 'x-kubernetes-int-or-string'],
  explanation:
    'Values of the old type are refused, and clients that were built for the old type fail to decode objects with the new one. A type that becomes explicit where properties or items implied it is only a caution.',
  instead:
    'Add a field of the new type beside the old one, or change the type in a new version with a conversion. Use enumerated strings rather than booleans from the start.',
  examples: [
    {
      title: 'a boolean needs a third value',
      old: field({ type: 'boolean' }),
      new: field({ type: 'string' }),
      severity: 'breaking',
    },
    {
      title: 'a value becomes a list',
      old: field({ type: 'integer' }),
      new: field({ type: 'array', items: { type: 'integer' } }),
      severity: 'breaking',
    },
    {
      title: 'any value becomes a string',
      old: field({ 'x-kubernetes-preserve-unknown-fields': true }),
      new: field({ type: 'string' }),
      severity: 'breaking',
    },
    {
      title: 'the implied type becomes explicit',
      old: field({ properties: { a: { type: 'string' } } }),
      new: field({ type: 'object', properties: { a: { type: 'string' } } }),
      severity: 'caution',
    },
  ],
  compare: (pair) => {
    const was = typeOf(pair.old);
    const is = typeOf(pair.new);
    return was === is || isWider(was, is) ? [] : [change(pair, was, is)];
  },
};

function change({ old }: NodePair, was: NodeType, is: NodeType): Change {
  if (was === 'any' && impliedTypeOf(old) === is) {
    return {
      severity: 'caution',
      message: `the type ${is} was implied, and is now required`,
      breaks: ['stored objects'],
    };
  }
  return { severity: 'breaking', message: `type changed from ${was} to ${is}` };
}

function field(schema: object): object {
  return { type: 'object', properties: { value: schema } };
}
