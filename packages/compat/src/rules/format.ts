// Formats. The API server ignores those that it does not know.
import { isFormatKnown, type JSONSchemaProps } from '@instar/schema';
import type { Change, SchemaRule } from '../rule.ts';
import { typeOf } from '../walk/type-of.ts';

export const format: SchemaRule = {
  kind: 'schema',
  id: 'format',
  title: 'The format of a value changed',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['format'],
  explanation:
    'The API server checks some formats: int32, date-time, ipv4, uuid and others. A format that is introduced or replaced refuses values that were valid. With a wider number (int32 to int64) all existing values stay valid, but clients built for the narrow one overflow. Formats that the server does not know affect only generated clients.',
  instead: 'Keep the format in this version.',
  examples: [
    { title: 'introduced', old: text({}), new: text({ format: 'date-time' }), severity: 'breaking' },
    { title: 'removed', old: text({ format: 'date-time' }), new: text({}), severity: 'safe' },
    { title: 'not known to the server', old: text({}), new: text({ format: 'color' }), severity: 'safe' },
    {
      title: 'narrower',
      old: count({ format: 'int64' }),
      new: count({ format: 'int32' }),
      severity: 'breaking',
    },
    { title: 'wider', old: count({ format: 'int32' }), new: count({ format: 'int64' }), severity: 'caution' },
    {
      title: 'an integer is an int64 anyway',
      old: count({}),
      new: count({ format: 'int64' }),
      severity: 'safe',
    },
  ],
  compare: ({ old, new: next }) => {
    const [was, is] = [old.format ?? '', next.format ?? ''];
    return was === is
      ? []
      : [change(effective(old), effective(next), `format changed from ${was || 'none'} to ${is || 'none'}`)];
  },
};

/** "" where the server checks nothing beyond the type. */
function effective(schema: JSONSchemaProps): string {
  const { format: name = '' } = schema;
  const type = typeOf(schema);
  if (
    name === 'int64' ||
    name === 'double' ||
    name === 'password' ||
    !isFormatKnown(type === 'any' ? '' : type, name)
  )
    return '';
  return name.replaceAll('-', '');
}

function change(was: string, is: string, message: string): Change {
  if (was === is)
    return { severity: 'safe', message: `${message}; the API server checks the same`, breaks: [] };
  if (is !== '') return { severity: 'breaking', message };
  if (was === 'int32' || was === 'float')
    return { severity: 'caution', message: `${message}: readers might overflow`, breaks: ['readers'] };
  return { severity: 'safe', message, breaks: [] };
}

function text(more: object): object {
  return { type: 'object', properties: { value: { type: 'string', ...more } } };
}

function count(more: object): object {
  return { type: 'object', properties: { value: { type: 'integer', ...more } } };
}
