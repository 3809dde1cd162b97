// Leaves the work to the server: creates a StorageVersionMigration and waits until it is finished.
import { setTimeout } from 'node:timers/promises';
import type { KubeClient } from '@instar/client';
import type { CustomResourceDefinition } from '@instar/crd';
import type { KubeObject } from '@instar/machinery';
import { CommandFailure } from '../exit-with-message.ts';

interface Migration extends KubeObject {
  status?: { conditions?: { type: string; status: string; message: string }[] };
}

const POLL_MS = 250;

export async function migrateOnServer(api: KubeClient, { spec }: CustomResourceDefinition): Promise<number> {
  const found = await api.resourceOfKind({
    group: 'storagemigration.k8s.io',
    kind: 'StorageVersionMigration',
  });
  if (found === undefined)
    throw new CommandFailure(
      'this server does not offer storagemigration.k8s.io; leave --server-side out',
      2,
    );
  const ref = { group: found.group, version: found.version, resource: found.resource };
  const { metadata } = await api.create(ref, {
    apiVersion: `${found.group}/${found.version}`,
    kind: found.kind,
    metadata: { generateName: `${spec.names.plural}-` },
    spec: { resource: { group: spec.group, resource: spec.names.plural } },
  });
  const name = metadata.name!;
  let shown = '';
  for (;;) {
    const { status } = await api.get<Migration>({ ...ref, name });
    const conditions = status?.conditions ?? [];
    const isTrue = (type: string) =>
      conditions.find((condition) => condition.type === type && condition.status === 'True');
    const over = isTrue('Succeeded') ?? isTrue('Failed');
    const text = (over ?? isTrue('Running'))?.message ?? 'waiting for the server to start';
    if (text !== shown) process.stderr.write(`${name}: ${(shown = text)}\n`);
    if (over !== undefined && isTrue('Running') === undefined) return over.type === 'Succeeded' ? 0 : 1;
    await setTimeout(POLL_MS);
  }
}
