// Whether a version is served.

import type { JsonObject } from '@instar/machinery';
import type { Change, VersionRule } from '../rule.ts';

export const served: VersionRule = {
  kind: 'version',
  id: 'served',
  title: 'Whether a version is served changed',
  severity: 'breaking',
  breaks: ['writers', 'readers'],
  keywords: ['served'],
  explanation:
    'Requests for a version that is not served get 404, as if it did not exist. Stored objects are not affected.',
  instead: 'Deprecate the version first, and find out which clients still use it.',
  examples: [
    { title: 'no longer served', old: version({}), new: version({ served: false }), severity: 'breaking' },
    { title: 'served again', old: version({ served: false }), new: version({}), severity: 'safe' },
  ],
  compare: (old, next): Change[] => {
    if (old.served === next.served) return [];
    return next.served
      ? [{ severity: 'safe', message: 'version is now served', breaks: [] }]
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
