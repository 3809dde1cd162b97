// not: what a value must not match.
import { shapeOf } from '../fields/likeness.ts';
import type { SchemaRule } from '../rule.ts';

export const not: SchemaRule = {
  kind: 'schema',
  id: 'not',
  title: 'What a value must not match changed',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['not'],
  explanation:
    'A schema that values must not match refuses some that were valid. If it changed, whether it refuses more or less is not decided.',
  instead: 'Make the change in a new version.',
  examples: [
    { title: 'introduced', old: field({}), new: field({ not: { enum: ['x'] } }), severity: 'breaking' },
    {
      title: 'changed',
      old: field({ not: { enum: ['x'] } }),
      new: field({ not: { enum: ['y'] } }),
      severity: 'unsure',
    },
    { title: 'removed', old: field({ not: { enum: ['x'] } }), new: field({}), severity: 'safe' },
  ],
  compare: ({ old, new: next }) => {
    const [was, is] = [old.not, next.not].map((schema) =>
      schema === undefined ? undefined : shapeOf(schema),
    );
    if (was === is) return [];
    if (was === undefined)
      return [{ severity: 'breaking', message: 'must not match a schema that it could match before' }];
    return is === undefined
      ? [{ severity: 'safe', message: 'may match the schema that it could not match before', breaks: [] }]
      : [{ severity: 'unsure', message: 'the schema that it must not match changed' }];
  },
};

function field(more: object): object {
  return { type: 'object', properties: { name: { type: 'string', ...more } } };
}
