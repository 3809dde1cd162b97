// Makes another version the storage version, and waits until the server uses it.
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { KubeApi } from '@instar/client';
import type { CustomResourceDefinition } from '@instar/crd';
import { MigrationError } from '../migration-error.ts';
import { changeVersions, crdName, requireVersion, servedVersionOf, storageVersionOf } from './definition.ts';

const WAIT_MS = 30_000;
const STEP_MS = 100;

/** Makes another version the storage version. */
export async function switchStorage(
  api: KubeApi,
  crd: CustomResourceDefinition,
  to: string,
): Promise<CustomResourceDefinition> {
  requireVersion(crd, to);
  const changed =
    storageVersionOf(crd) === to
      ? crd
      : await changeVersions(api, crd, (versions) =>
          versions.map((version) => ({ ...version, storage: version.name === to })),
        );
  await untilStored(api, changed);
  return changed;
}

/**
 * Discovery has a hash of the storage version in use: until it is that of the new one, objects may still be
 * written in the old one.
 */
export async function untilStored(api: KubeApi, crd: CustomResourceDefinition): Promise<void> {
  const { group, names } = crd.spec;
  const served = servedVersionOf(crd);
  if (served === undefined) return;
  const wanted = storageVersionHash(group, storageVersionOf(crd), names.kind);
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await setTimeout(STEP_MS)) {
    const { status, body } = await api.request({ method: 'GET', path: `/apis/${group}/${served}` });
    if (status !== 200) continue;
    const { resources = [] } = JSON.parse(Buffer.from(body).toString()) as {
      resources?: { name: string; storageVersionHash?: string }[];
    };
    const hash = resources.find(({ name }) => name === names.plural)?.storageVersionHash;
    if (hash === undefined || hash === wanted) return;
  }
  throw new MigrationError(
    `the server still does not write ${crdName(crd)} in ${storageVersionOf(crd)}, ${WAIT_MS / 1000} s after the change`,
  );
}

function storageVersionHash(group: string, version: string, kind: string): string {
  return createHash('sha256')
    .update(`${group}/${version}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64');
}
