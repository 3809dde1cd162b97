// Whether a version has a schema.

import type { JsonObject } from '@instar/machinery';
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
    { title: 'introduced', old: version({ schema: null }), new: version({}), severity: 'breaking' },
    { title: 'removed', old: version({}), new: version({ schema: null }), severity: 'caution' },
  ],
  compare: (old, next): Change[] => {
    const [was, is] = [old, next].map(({ schema }) => schema?.openAPIV3Schema !== undefined);
    if (was === is) return [];
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

function version(more: object): JsonObject {
  return {
    spec: {
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } }, ...more },
      ],
    },
  };
}
