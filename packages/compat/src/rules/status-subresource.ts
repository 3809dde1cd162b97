// The status subresource was added or removed.

import type { CustomResourceDefinitionVersion } from '@instar/crd';
import type { JsonObject } from '@instar/machinery';
import type { Change, VersionRule } from '../rule.ts';

const WITH_STATUS = {
  openAPIV3Schema: {
    type: 'object',
    properties: { status: { type: 'object', properties: { phase: { type: 'string' } } } },
  },
};

export const statusSubresource: VersionRule = {
  kind: 'version',
  id: 'status-subresource',
  title: 'The status subresource was added or removed',
  severity: 'breaking',
  breaks: ['writers', 'readers'],
  keywords: ['subresources'],
  explanation:
    'With the status subresource, writes of the object ignore .status and writes of /status ignore everything else: the status that a controller writes with the object is ignored. Without it, requests for /status get 404, and metadata.generation also counts changes of status.',
  instead: 'Decide when the version is introduced.',
  examples: [
    {
      title: 'introduced',
      old: version({ schema: WITH_STATUS }),
      new: version({ schema: WITH_STATUS, subresources: { status: {} } }),
      severity: 'breaking',
    },
    {
      title: 'introduced together with status',
      old: version({}),
      new: version({ schema: WITH_STATUS, subresources: { status: {} } }),
      severity: 'safe',
    },
    {
      title: 'removed',
      old: version({ subresources: { status: {} } }),
      new: version({}),
      severity: 'breaking',
    },
  ],
  compare: (old, next, { spec }): Change[] => {
    const [was, is] = [old, next].map(({ subresources }) => subresources?.status !== undefined);
    if (was === is) return [];
    if (is && spec.preserveUnknownFields !== true && !canHoldStatus(old))
      return [
        { severity: 'safe', message: 'status subresource added; objects had no status before', breaks: [] },
      ];
    return is
      ? [
          {
            severity: 'breaking',
            message: 'status subresource added: status written with the object is now ignored',
          },
        ]
      : [{ severity: 'breaking', message: 'status subresource removed: requests for /status get 404' }];
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

/** A status that the schema does not declare was dropped from every object. */
function canHoldStatus({ schema }: CustomResourceDefinitionVersion): boolean {
  const root = schema?.openAPIV3Schema;
  return (
    root === undefined ||
    root['x-kubernetes-preserve-unknown-fields'] === true ||
    Object.hasOwn(root.properties ?? {}, 'status')
  );
}
