// Takes one step of a retirement, and undoes it. Every change of the definition is conditional on the state
// that was read.
import type { KubeApi } from '@instar/client';
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '@instar/crd';
import {
  changeVersions,
  readDefinition,
  storageVersionOf,
  writeStoredVersions,
} from '../definition/definition.ts';
import { switchStorage } from '../definition/switch-storage.ts';
import { MigrationError } from '../migration-error.ts';
import { type Migrated, type MigrateOptions, migrate } from '../run/migrate.ts';
import type { DoneStep } from './journal.ts';
import type { RetirementState } from './retirement-state.ts';
import type { StepName } from './steps.ts';

type MigrateSettings = Pick<MigrateOptions, 'signal' | 'progress' | 'concurrency' | 'report'>;

const changed =
  (version: string, fields: Partial<CustomResourceDefinitionVersion>) =>
  (versions: CustomResourceDefinitionVersion[]) =>
    versions.map((other) => (other.name === version ? { ...other, ...fields } : other));

/** Returns what the journal needs to undo it. Throws if it cannot be done now. */
export async function doStep(
  api: KubeApi,
  retirement: RetirementState,
  step: StepName,
  settings: MigrateSettings = {},
): Promise<DoneStep> {
  const { crd, version } = retirement;
  const done: DoneStep = { step, at: new Date().toISOString() };
  switch (step) {
    case 'deprecate':
      await changeVersions(api, crd, changed(version, { deprecated: true }));
      return done;
    case 'switch-storage':
      await switchStorage(api, crd, retirement.to!);
      return { ...done, storage: version };
    case 'migrate':
      await migrateAway(api, retirement, settings);
      return done;
    case 'prune':
      await writeStoredVersions(
        api,
        crd,
        (crd.status.storedVersions ?? []).filter((stored) => stored !== version),
      );
      return done;
    case 'managed-fields':
      refuseFailures(await migrate(api, crd, { ...settings, prune: false, retiring: version }));
      return done;
    case 'stop-serving':
      await changeVersions(api, crd, changed(version, { served: false }));
      return done;
    case 'remove':
      return { ...done, removed: await remove(api, crd, version) };
    case 'clients':
      return done;
  }
}

/**
 * Without a census, the migration itself is the proof that storedVersions can be pruned; later there is none.
 */
async function migrateAway(
  api: KubeApi,
  { crd, stored }: RetirementState,
  settings: MigrateSettings,
): Promise<void> {
  const migrated = await migrate(api, crd, { ...settings, prune: stored === undefined });
  refuseFailures(migrated);
  const { pruning } = migrated;
  if (pruning !== undefined && 'kept' in pruning)
    throw new MigrationError(`status.storedVersions stays as it is: ${pruning.reason}`);
}

function refuseFailures({ counts }: Migrated): void {
  if (counts.failed > 0)
    throw new MigrationError(
      `${counts.failed} objects could not be rewritten: \`instar migrate --report FILE\` shows which and why`,
    );
}

async function remove(
  api: KubeApi,
  crd: CustomResourceDefinition,
  version: string,
): Promise<NonNullable<DoneStep['removed']>> {
  const index = crd.spec.versions.findIndex(({ name }) => name === version);
  const removed = { index, version: crd.spec.versions[index]! };
  await changeVersions(api, crd, (versions) => versions.filter(({ name }) => name !== version));
  return removed;
}

/** Rolls back a step of a retirement. */
export async function undoStep(
  api: KubeApi,
  retirement: RetirementState,
  { step, storage, removed }: DoneStep,
  settings: MigrateSettings = {},
): Promise<void> {
  const { crd, version } = retirement;
  switch (step) {
    case 'deprecate':
      await changeVersions(api, crd, changed(version, { deprecated: false }));
      return;
    case 'switch-storage':
      if (storage !== undefined && storageVersionOf(crd) !== storage) await switchStorage(api, crd, storage);
      return;
    case 'migrate':
      refuseFailures(
        await migrate(api, await switchStorage(api, crd, version), { ...settings, prune: false }),
      );
      return;
    case 'prune':
      await writeStoredVersions(api, crd, [...(crd.status.storedVersions ?? []), version]);
      return;
    case 'stop-serving':
      await changeVersions(api, crd, changed(version, { served: true }));
      return;
    case 'remove':
      if (removed === undefined) throw new MigrationError('the journal does not have the version as it was');
      await changeVersions(api, await readDefinition(api, retirement.name), (versions) =>
        versions.toSpliced(removed.index, 0, removed.version),
      );
      return;
    case 'managed-fields':
    case 'clients':
      return;
  }
}
