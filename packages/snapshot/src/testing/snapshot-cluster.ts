// An Instar API server with the definitions of a phase, for the tests of this package.
import { readFile } from 'node:fs/promises';
import type { KubeClient } from '@instar/client';
import { ApiError, type KubeObject, parseYaml } from '@instar/machinery';
import { eventually } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';

export const EXAMPLE = new URL('../../../../examples/volume-snapshots/', import.meta.url);
const PLURALS = ['volumesnapshots', 'volumesnapshotcontents', 'volumesnapshotclasses'];
const CRDS = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };

export const SNAPSHOT_REF = {
  group: 'snapshot.storage.k8s.io',
  version: 'v1beta1',
  resource: 'volumesnapshots',
  namespace: 'default',
} as const;
export const CONTENT_REF = {
  group: 'snapshot.storage.k8s.io',
  version: 'v1beta1',
  resource: 'volumesnapshotcontents',
} as const;

export class SnapshotCluster {
  readonly api: EmbeddedApi;
  readonly client: KubeClient;

  private constructor(api: EmbeddedApi) {
    this.api = api;
    this.client = api.client();
  }

  static async start(): Promise<SnapshotCluster> {
    return new SnapshotCluster(await EmbeddedApi.start());
  }

  close(): Promise<void> {
    return this.api.close();
  }

  /** As `kubectl replace` would: versions that the phase does not have are dropped. */
  async enter(phase: 1 | 2 | 3): Promise<void> {
    for (const plural of PLURALS) await this.#define(await readCrd(phase, plural));
    const versions = phase === 1 ? ['v1beta1'] : ['v1beta1', 'v1'];
    await eventually(`phase ${phase} to be served`, async () => {
      const groups = await this.client.discover({ refresh: true });
      const group = groups.find(({ group }) => group === SNAPSHOT_REF.group);
      return (
        group !== undefined &&
        group.versions.toSorted().join() === versions.toSorted().join() &&
        group.resources.length === 3 * versions.length
      );
    });
  }

  async #define(crd: KubeObject): Promise<void> {
    const at = { ...CRDS, name: crd.metadata.name! };
    try {
      const { metadata } = await this.client.get(at);
      await this.client.replace(at, {
        ...crd,
        metadata: { ...crd.metadata, resourceVersion: metadata.resourceVersion },
      });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 404) throw error;
      await this.client.create(CRDS, crd);
    }
  }

  snapshot(name: string, spec: object): Promise<KubeObject> {
    return this.client.create(SNAPSHOT_REF, {
      apiVersion: 'snapshot.storage.k8s.io/v1beta1',
      kind: 'VolumeSnapshot',
      metadata: { name },
      spec,
    });
  }

  content(name: string, spec: object): Promise<KubeObject> {
    const whole = { driver: 'csi.example.com', deletionPolicy: 'Delete', ...spec };
    return this.client.create(CONTENT_REF, {
      apiVersion: 'snapshot.storage.k8s.io/v1beta1',
      kind: 'VolumeSnapshotContent',
      metadata: { name },
      spec: whole,
    });
  }
}

export async function readCrd(phase: 1 | 2 | 3, plural: string): Promise<KubeObject> {
  return parseYaml(await readFile(new URL(`crds/phase-${phase}/${plural}.yaml`, EXAMPLE), 'utf8'))
    .value as unknown as KubeObject;
}
