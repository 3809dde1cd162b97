// Runs a migration from the command line: asks before it changes the definition, shows its progress, and can
// be stopped and resumed.
import type { KubeClient } from '@instar/client';
import type { CustomResourceDefinition } from '@instar/crd';
import {
  crdName,
  type Migrated,
  type MigrateOptions,
  migrate,
  migrateByLens,
  Pace,
  type ReportEntry,
  readDefinition,
  requireVersion,
  StateFile,
  storageVersionOf,
  switchStorage,
} from '@instar/migrate';
import { type ClusterFlags, openCluster } from '../cluster-flags.ts';
import { confirmed } from '../confirmed.ts';
import { CommandFailure, run } from '../exit-with-message.ts';
import { printMigrated } from './print-migrated.ts';
import { ProgressLine } from './progress-line.ts';
import { ReportFile } from './report-file.ts';
import { onSignals } from './signals.ts';

export interface MigrateFlags extends ClusterFlags {
  readonly to?: string;
  readonly dryRun?: boolean;
  readonly concurrency: number;
  readonly rate: number;
  readonly page: number;
  readonly state?: string;
  readonly resume?: boolean;
  readonly restart?: boolean;
  readonly report?: string;
  readonly prune: boolean;
  readonly serverSide?: boolean;
  readonly lens?: string;
  readonly back?: boolean;
  readonly yes?: boolean;
}

const LOST = 3;
const STOPPED = 130;

export function migrateDefinition(name: string, flags: MigrateFlags): Promise<void> {
  return run(async () => {
    const api = await openCluster(flags, 'instar-migrate', flags.concurrency + 2);
    try {
      return await migrateWith(api, await withStorage(api, await readDefinition(api, name), flags), flags);
    } finally {
      await api.close();
    }
  });
}

async function withStorage(
  api: KubeClient,
  crd: CustomResourceDefinition,
  { to, dryRun, yes }: MigrateFlags,
): Promise<CustomResourceDefinition> {
  if (to === undefined || to === storageVersionOf(crd)) return crd;
  requireVersion(crd, to);
  if (dryRun)
    throw new CommandFailure(
      `--dry-run changes nothing, and ${crdName(crd)} is written in ${storageVersionOf(crd)}; leave --to out`,
      2,
    );
  const question = `Write ${crdName(crd)} in ${to} instead of ${storageVersionOf(crd)} from now on?`;
  if (!(await confirmed(question, yes))) throw new CommandFailure('nothing was changed', 2);
  return switchStorage(api, crd, to);
}

async function migrateWith(
  api: KubeClient,
  crd: CustomResourceDefinition,
  flags: MigrateFlags,
): Promise<number> {
  if (flags.serverSide) return (await import('./server-side.ts')).migrateOnServer(api, crd);
  const state = new StateFile(flags.state ?? `.instar-migrate-${crdName(crd)}.json`);
  await checkState(state, flags);
  if (flags.lens === undefined)
    return runMigration(crdName(crd), state, flags, (options) => migrate(api, crd, options));
  const { readLensTask } = await import('./read-lens.ts');
  const task = await readLensTask(flags.lens, crdName(crd), flags.back ?? false);
  return runMigration(crdName(crd), state, flags, (options) => migrateByLens(api, crd, task, options));
}

async function checkState(state: StateFile, { resume, restart, dryRun }: MigrateFlags): Promise<void> {
  if (dryRun) return;
  if (restart) return state.remove();
  const kept = resume ? undefined : await state.read();
  if (kept === undefined) return;
  throw new CommandFailure(
    `an earlier run, begun ${kept.startedAt}, did not finish (${state.path}): --resume continues it, --restart starts over`,
    2,
  );
}

type Start = (options: MigrateOptions) => Promise<Migrated>;

async function runMigration(
  name: string,
  state: StateFile,
  flags: MigrateFlags,
  start: Start,
): Promise<number> {
  const stop = new AbortController();
  const pace = new Pace(flags.rate, stop.signal);
  const line = new ProgressLine(name, process.stderr, pace);
  const report =
    flags.report === undefined ? undefined : await ReportFile.open(flags.report, flags.resume ?? false);
  const ended = onSignals(stop, pace, () => line.refresh());
  try {
    const migrated = await start({
      ...{
        dryRun: flags.dryRun ?? false,
        concurrency: flags.concurrency,
        pageSize: flags.page,
        prune: flags.prune,
        state,
        pace,
      },
      resume: flags.resume ?? false,
      signal: stop.signal,
      report: (entry) => noteworthy(entry, flags) && report?.add(entry),
      progress: (progress) => line.show(progress),
    });
    line.end();
    if (!flags.dryRun) await state.remove();
    process.stdout.write(printMigrated(migrated, flags.report));
    return exitCodeOf(migrated);
  } catch (error) {
    line.end();
    if (stop.signal.aborted) {
      process.stderr.write(`stopped; \`instar migrate ${name} --resume\` continues (${state.path})\n`);
      return STOPPED;
    }
    if (error instanceof Error && (error.name === 'ConnectionError' || error.name === 'ApiError'))
      throw new CommandFailure(
        `${error.message}; \`instar migrate ${name} --resume\` continues (${state.path})`,
        LOST,
      );
    throw error;
  } finally {
    ended();
    await report?.close();
  }
}

const noteworthy = ({ kind }: ReportEntry, { dryRun }: MigrateFlags): boolean =>
  kind === 'failed' || (dryRun === true && kind === 'rewritten');

const exitCodeOf = ({ counts, pruning }: Migrated): number =>
  counts.failed > 0 || (pruning !== undefined && 'kept' in pruning) ? 1 : 0;
