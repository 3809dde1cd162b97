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
  title: 'Whether an object takes any keys changed',
  severity: 'breaking',
  breaks: ['writers', 'readers', 'stored objects'],
  keywords: ['additionalProperties'],
  explanation:
    'An object that took any key and no longer does loses what it holds. One whose values had no schema and have one now refuses values of another kind. How the schema of the values changed is said by the other rules, at the path that ends in ".*".',
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
      title: 'any values become texts',
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
      title: 'an object becomes a map of the same',
      old: field({ type: 'object', properties: { a: { type: 'string' } } }),
      new: field(TEXTS),
      severity: 'caution',
    },
    {
      title: 'an object becomes a map of something else',
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
      ? { severity: 'safe', message: 'any key is kept as an unknown field now, unvalidated', breaks: [] }
      : { severity: 'breaking', message: 'took any key, and keeps only declared fields now' };
  }
  if (is === 'anything')
    return { severity: 'safe', message: 'takes any keys with any values now', breaks: [] };
  if (was === 'anything')
    return { severity: 'breaking', message: 'values of any kind were taken, and must match a schema now' };
  return fromFields(pair);
}

function fromFields({ old, new: next }: NodePair): Change {
  const fields = Object.entries(old.properties ?? {});
  const values = next.additionalProperties as JSONSchemaProps;
  if (fields.length === 0) {
    if (old['x-kubernetes-preserve-unknown-fields'] !== true)
      return { severity: 'safe', message: 'takes any keys now', breaks: [] };
    return { severity: 'breaking', message: 'values of any kind were kept, and must match a schema now' };
  }
  const unlike = fields.filter(
    ([, schema]) => typeOf(schema) !== typeOf(values) && !isWider(typeOf(schema), typeOf(values)),
  );
  if (unlike.length > 0)
    return {
      severity: 'breaking',
      message: `became a map whose values are not what ${unlike.map(([name]) => name).join(', ')} was`,
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
