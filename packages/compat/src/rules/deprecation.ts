// The deprecation of a version.

import type { JsonObject } from '@instar/machinery';
import type { Change, VersionRule } from '../rule.ts';

export const deprecation: VersionRule = {
  kind: 'version',
  id: 'deprecation',
  title: 'The deprecation of a version changed',
  severity: 'safe',
  breaks: [],
  keywords: ['deprecated', 'deprecationWarning'],
  explanation:
    'Clients of a deprecated version get a warning with every response, and everything works as before.',
  instead: 'Say in deprecationWarning which version to use instead.',
  examples: [
    { title: 'deprecated', old: version({}), new: version({ deprecated: true }), severity: 'safe' },
    {
      title: 'another warning',
      old: version({ deprecated: true }),
      new: version({ deprecated: true, deprecationWarning: 'use v2' }),
      severity: 'safe',
    },
  ],
  compare: (old, next): Change[] => {
    if ((old.deprecated === true) !== (next.deprecated === true)) {
      return [
        {
          severity: 'safe',
          message: next.deprecated === true ? 'version is now deprecated' : 'version is no longer deprecated',
        },
      ];
    }
    return old.deprecationWarning === next.deprecationWarning
      ? []
      : [{ severity: 'safe', message: 'deprecation warning changed' }];
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
