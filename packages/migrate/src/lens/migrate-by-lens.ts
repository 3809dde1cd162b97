// A migration by a lens, over all objects of a definition that preserves unknown fields. It can be rolled
// back: the same in reverse.
import type { KubeApi } from '@instar/client';
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '@instar/crd';
import { crdName, servedVersionOf } from '../definition/definition.ts';
import { readServerLens } from '../definition/lenses.ts';
import { MigrationError } from '../migration-error.ts';
import { type Migrated, type MigrateOptions, migrateWith, withSignal } from '../run/migrate.ts';
import type { FieldLens } from './form-by-fields.ts';
import { rewriteByLens } from './rewrite-by-lens.ts';

/** Which lens converts objects between which versions. */
export interface LensTask {
  readonly lens: FieldLens;
  readonly from: string;
  readonly to: string;
}

/** Rewrites the stored objects by a lens, where the cluster itself only relabels. */
export async function migrateByLens(
  api: KubeApi,
  crd: CustomResourceDefinition,
  task: LensTask,
  options: MigrateOptions = {},
): Promise<Migrated> {
  const through = throughVersion(crd, task);
  const lens = await readServerLens(api, crd);
  if (lens !== undefined)
    throw new MigrationError(
      `the server converts ${crdName(crd)} by its lens ${lens}: its objects are migrated without --lens`,
    );
  const { dryRun = false, signal } = withSignal(options);
  const context = { ...task, api, crd, through, dryRun, signal };
  const { from, to } = task;
  const migrated = await migrateWith(
    api,
    crd,
    through,
    `lens ${from} to ${to}`,
    (metadata) => rewriteByLens(context, metadata),
    {
      ...options,
      signal,
      prune: false,
    },
  );
  return { ...migrated, lens: { from, to } };
}

/**
 * Objects must be read and written with all fields, whatever the schema says, and without a conversion
 * webhook.
 */
function throughVersion(crd: CustomResourceDefinition, { to }: LensTask): string {
  const { conversion, versions, preserveUnknownFields } = crd.spec;
  if ((conversion?.strategy ?? 'None') !== 'None')
    throw new MigrationError(`${crdName(crd)} converts by webhook: its objects are migrated without --lens`);
  const version = versions.find(({ name, served }) => name === to && served)?.name ?? servedVersionOf(crd);
  const found = versions.find(({ name }) => name === version);
  if (found === undefined) throw new MigrationError(`no version of ${crdName(crd)} is served`);
  if (!preserveUnknownFields && !keepsUnknownFields(found)) {
    throw new MigrationError(
      `${crdName(crd)} does not preserve unknown fields in ${found.name}, so the server prunes what it does not know: set x-kubernetes-preserve-unknown-fields: true in every version first`,
    );
  }
  return found.name;
}

const PRESERVE = 'x-kubernetes-preserve-unknown-fields';

/** At the root, or at least below spec. */
function keepsUnknownFields({ schema }: CustomResourceDefinitionVersion): boolean {
  const root = schema?.openAPIV3Schema;
  return root === undefined || root[PRESERVE] === true || root.properties?.['spec']?.[PRESERVE] === true;
}
