// Maps: objects with any keys, whose values have a schema.
import type { JSONSchemaProps } from '@instar/schema';
import type { Change, SchemaRule } from '../rule.ts';
import type { NodePair } from '../walk/node-pair.ts';
import { typeOf } from '../walk/type-of.ts';
import { isSchema } from '../walk/walk-schemas.ts';
import { isWider } from './type-widened.ts';

const TEXTS = { type: 'object', additionalProperties: { type: 'string' } };

export const additionalProperties: SchemaRule = {
  kind: 'schema',
  id: 'additional-properties',
  title: 'Whether an object accepts any keys changed',
  severity: 'breaking',
  breaks: ['writers', 'readers', 'stored objects'],
  keywords: ['additionalProperties'],
  explanation:
    'An object that accepted any key and no longer does loses its undeclared keys. One whose values had no schema and have one now refuses values that do not match. Changes of the schema of the values are reported by the other rules, at the path that ends in ".*".',
  instead:
    'Keep the map in this version. Use lists with x-kubernetes-list-type: map instead of maps from the start.',
  examples: [
    {
      title: 'a map becomes an object',
      old: field(TEXTS),
      new: field({ type: 'object', properties: { a: { type: 'string' } } }),
      severity: 'breaking',
    },
    {
      title: 'any values become strings',
      old: field({ type: 'object', additionalProperties: true }),
      new: field(TEXTS),
      severity: 'breaking',
    },
    {
      title: 'an empty object becomes a map',
      old: field({ type: 'object' }),
      new: field(TEXTS),
      severity: 'safe',
    },
    {
      title: 'an object becomes a map of the same type',
      old: field({ type: 'object', properties: { a: { type: 'string' } } }),
      new: field(TEXTS),
      severity: 'caution',
    },
    {
      title: 'an object becomes a map of another type',
      old: field({ type: 'object', properties: { a: { type: 'integer' } } }),
      new: field(TEXTS),
      severity: 'breaking',
    },
  ],
  compare: (pair) => {
    const [was, is] = [kindOf(pair.old), kindOf(pair.new)];
    return was === is ? [] : [change(pair, was, is)];
  },
};

type MapKind = 'none' | 'anything' | 'schema';

function kindOf({ additionalProperties: values }: JSONSchemaProps): MapKind {
  if (isSchema(values)) return Object.keys(values).length === 0 ? 'anything' : 'schema';
  return values === true ? 'anything' : 'none';
}

function change(pair: NodePair, was: MapKind, is: MapKind): Change {
  if (is === 'none') {
    const isKept = pair.new['x-kubernetes-preserve-unknown-fields'] === true;
    return isKept
      ? { severity: 'safe', message: 'any key is now kept as an unknown field, unvalidated', breaks: [] }
      : { severity: 'breaking', message: 'accepted any key, and now keeps only declared fields' };
  }
  if (is === 'anything')
    return { severity: 'safe', message: 'now accepts any keys with any values', breaks: [] };
  if (was === 'anything')
    return { severity: 'breaking', message: 'values of any type were accepted, and must now match a schema' };
  return fromFields(pair);
}

function fromFields({ old, new: next }: NodePair): Change {
  const fields = Object.entries(old.properties ?? {});
  const values = next.additionalProperties as JSONSchemaProps;
  if (fields.length === 0) {
    if (old['x-kubernetes-preserve-unknown-fields'] !== true)
      return { severity: 'safe', message: 'now accepts any keys', breaks: [] };
    return { severity: 'breaking', message: 'values of any type were kept, and must now match a schema' };
  }
  const unlike = fields.filter(
    ([, schema]) => typeOf(schema) !== typeOf(values) && !isWider(typeOf(schema), typeOf(values)),
  );
  if (unlike.length > 0)
    return {
      severity: 'breaking',
      message: `became a map whose values have another type than ${unlike.map(([name]) => name).join(', ')}`,
    };
  return {
    severity: 'caution',
    message: 'declared fields became keys of a map: generated clients lose them',
    breaks: ['readers'],
  };
}

function field(schema: object): object {
  return { type: 'object', properties: { labels: schema } };
}
