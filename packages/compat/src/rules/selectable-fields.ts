// The selectable fields of a version.

import type { JsonObject } from '@instar/machinery';
import type { Change, VersionRule } from '../rule.ts';

export const selectableFields: VersionRule = {
  kind: 'version',
  id: 'selectable-fields',
  title: 'The selectable fields changed',
  severity: 'breaking',
  breaks: ['readers'],
  keywords: ['selectableFields'],
  explanation:
    'Lists and watches with a field selector on a field that is not selectable fail with status 400.',
  instead: 'Keep the field in this version.',
  examples: [
    {
      title: 'one is removed',
      old: version({ selectableFields: [{ jsonPath: '.spec.color' }] }),
      new: version({}),
      severity: 'breaking',
    },
    {
      title: 'one is added',
      old: version({}),
      new: version({ selectableFields: [{ jsonPath: '.spec.color' }] }),
      severity: 'safe',
    },
  ],
  compare: (old, next): Change[] => {
    const [was, is] = [old, next].map(({ selectableFields }) =>
      (selectableFields ?? []).map(({ jsonPath }) => jsonPath),
    ) as [string[], string[]];
    const gone = was.filter((path) => !is.includes(path));
    const came = is.filter((path) => !was.includes(path));
    return [
      ...gone.map((path): Change => ({ severity: 'breaking', message: `${path} is no longer selectable` })),
      ...came.map((path): Change => ({ severity: 'safe', message: `${path} is now selectable`, breaks: [] })),
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
