// Writes that the server makes itself: the same path as those of clients, but without admission.

import type { VersionDefinition } from '../../objects/definition.ts';
import type { Resource } from '../../objects/resource.ts';
import { TimeSlice } from '../../objects/time-slice.ts';
import type { Admission, WriteRequest } from '../../objects/write/write-request.ts';

const NO_ADMISSION: Admission = { mutate: async () => undefined, validate: async () => {} };

interface InternalWrite {
  readonly resource: Resource;
  readonly namespace?: string;
  readonly name: string;
  readonly subresource?: WriteRequest['subresource'];
  readonly manager?: string;
  readonly version?: VersionDefinition;
}

export function internalWrite({
  resource,
  namespace = '',
  name,
  subresource = '',
  manager = 'instar',
  version,
}: InternalWrite): WriteRequest {
  const { definition } = resource;
  return {
    resource,
    version: version ?? resource.version(definition.storageApiVersion)!,
    asStored: true,
    namespace,
    name,
    subresource,
    dryRun: false,
    manager,
    user: { name: 'system:apiserver', groups: ['system:masters'] },
    now: Date.now(),
    admission: NO_ADMISSION,
    warnings: [],
    slice: new TimeSlice(),
    isAborted: () => false,
  };
}
