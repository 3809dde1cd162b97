// The version in which to read and write a resource: the older as long as it is served, because its schema is
// lenient.
import type { CallOptions, KubeApi } from '@instar/client';
import {
  SNAPSHOT_GROUP,
  SNAPSHOT_VERSIONS,
  type SnapshotResource,
  type SnapshotVersion,
} from './resources.ts';

export async function servedVersion(
  api: Pick<KubeApi, 'discover'>,
  { resource }: SnapshotResource,
  options: CallOptions = {},
): Promise<SnapshotVersion | undefined> {
  const groups = await api.discover({ ...options, refresh: true });
  const served =
    groups
      .find(({ group }) => group === SNAPSHOT_GROUP)
      ?.resources.filter((info) => info.resource === resource) ?? [];
  return SNAPSHOT_VERSIONS.find((version) => served.some((info) => info.version === version));
}
