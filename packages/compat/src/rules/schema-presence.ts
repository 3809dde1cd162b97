// Whether a version has a schema.

import type { JsonObject } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import type { Change, VersionRule } from '../rule.ts';

export const schemaPresence: VersionRule = {
  kind: 'version',
  id: 'schema-presence',
  title: 'Whether a version has a schema changed',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['schema'],
  explanation:
    'Without a schema any object was valid; now objects must match it, and fields that it does not declare may be pruned. Changes of a schema are reported by the other rules.',
  instead: 'Start with a schema that preserves unknown fields.',
  examples: [
    {
      title: 'introduced, and takes anything',
      old: version({ schema: null }),
      new: version({
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      }),
      severity: 'safe',
    },
    { title: 'introduced', old: version({ schema: null }), new: version({}), severity: 'breaking' },
    { title: 'removed', old: version({}), new: version({ schema: null }), severity: 'caution' },
  ],
  compare: (old, next): Change[] => {
    const [was, is] = [old, next].map(({ schema }) => schema?.openAPIV3Schema !== undefined);
    if (was === is) return [];
    const schema = next.schema?.openAPIV3Schema;
    if (schema !== undefined && takesEverything(schema))
      return [{ severity: 'safe', message: 'version has a schema now, which takes any object', breaks: [] }];
    return is
      ? [
          {
            severity: 'breaking',
            message: 'version has a schema now, and had none before: objects that do not match are refused',
          },
        ]
      : [
          {
            severity: 'caution',
            message: 'version no longer has a schema: nothing is validated',
            breaks: ['readers'],
          },
        ];
  },
};

/** Whether no object that was accepted without a schema is refused or pruned. */
function takesEverything(schema: JSONSchemaProps, depth = 0): boolean {
  const { description: _, type, properties = {}, ...others } = schema;
  const { 'x-kubernetes-preserve-unknown-fields': preserves, ...constraints } = others;
  return (
    preserves === true &&
    Object.keys(constraints).length === 0 &&
    (type === undefined || type === 'object') &&
    Object.entries(properties).every(
      ([name, child]) => SERVER_FIELDS.has(name) || (depth === 0 && takesEverything(child, depth + 1)),
    )
  );
}

/** They have a schema of their own in every object. */
const SERVER_FIELDS = new Set(['apiVersion', 'kind', 'metadata']);

function version(more: object): JsonObject {
  return {
    spec: {
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } }, ...more },
      ],
    },
  };
}
