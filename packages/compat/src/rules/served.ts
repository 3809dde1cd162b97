// A version is served or not.

import type { JsonObject } from '@instar/machinery';
import type { Change, VersionRule } from '../rule.ts';

export const served: VersionRule = {
  kind: 'version',
  id: 'served',
  title: 'A version is served or not',
  severity: 'breaking',
  breaks: ['writers', 'readers'],
  keywords: ['served'],
  explanation:
    'A version that is not served gets the same answer as one that does not exist: 404. What is stored stays.',
  instead: 'Deprecate the version first, and see who still uses it.',
  examples: [
    { title: 'no longer served', old: version({}), new: version({ served: false }), severity: 'breaking' },
    { title: 'served again', old: version({ served: false }), new: version({}), severity: 'safe' },
  ],
  compare: (old, next): Change[] => {
    if (old.served === next.served) return [];
    return next.served
      ? [{ severity: 'safe', message: 'version is served now', breaks: [] }]
      : [{ severity: 'breaking', message: 'version is no longer served: requests for it get 404' }];
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
