// A storage migration through the ordinary API, from the first page to the pruning of storedVersions. It
// works on any cluster, can be stopped at any time, and resumes where it stopped.
import { setMaxListeners } from 'node:events';
import type { KubeApi } from '@instar/client';
import type { CustomResourceDefinition } from '@instar/crd';
import type { ObjectMeta } from '@instar/machinery';
import { crdName, servedVersionOf, storageVersionOf } from '../definition/definition.ts';
import { sharesFieldNames } from '../definition/lenses.ts';
import { untilStored } from '../definition/switch-storage.ts';
import { MigrationError } from '../migration-error.ts';
import { PAGE } from '../stored/metadata-pages.ts';
import { type Counts, count, type MigrationOutcome, noCounts, type ReportEntry, totalOf } from './outcome.ts';
import { Pace } from './pace.ts';
import { pass } from './pass.ts';
import { type Pruning, proveAndPrune } from './prove-and-prune.ts';
import { rewriteObject } from './rewrite-object.ts';
import type { MigrationState, StateFile } from './state-file.ts';
import { withRetries } from './with-retries.ts';

/** How far a migration has come. */
export interface Progress {
  readonly counts: Readonly<Counts>;
  /** How many objects there are in total, if known. */
  readonly total: number | undefined;
}

/** Options of a storage migration. */
export interface MigrateOptions {
  readonly dryRun?: boolean;
  readonly concurrency?: number;
  /** Objects per second; 0 or absent: no limit. */
  readonly rate?: number;
  readonly pageSize?: number;
  /** How long to wait for a server that is unreachable or cannot take requests (429, 503). */
  readonly retryMs?: number;
  readonly prune?: boolean;
  readonly state?: StateFile;
  /** Resume from the state, if there is one. */
  readonly resume?: boolean;
  readonly retiring?: string;
  readonly signal?: AbortSignal;
  /** To pause and resume. */
  readonly pace?: Pace;
  readonly report?: (entry: ReportEntry) => void;
  readonly progress?: (progress: Progress) => void;
}

/** The result of a storage migration. */
export interface Migrated {
  readonly crd: string;
  readonly storageVersion: string;
  readonly dryRun: boolean;
  /** For a migration by lens: the forms from and to which. */
  readonly lens?: { readonly from: string; readonly to: string };
  readonly counts: Readonly<Counts>;
  /** Undefined after a dry run, or if the caller asked not to prune. */
  readonly pruning?: Pruning;
}

const RETRY_MS = 60_000;
const CONCURRENCY = 16;

/** Rewrites all objects of a definition in its storage version. */
export async function migrate(
  api: KubeApi,
  crd: CustomResourceDefinition,
  options: MigrateOptions = {},
): Promise<Migrated> {
  const version = servedVersionOf(crd);
  if (version === undefined)
    throw new MigrationError(`no version of ${crdName(crd)} is served, so its objects cannot be written`);
  const { dryRun = false, signal, retiring } = withSignal(options);
  const retries = { signal, retryMs: options.retryMs ?? RETRY_MS };
  const names = { sharesFieldNames: await withRetries(() => sharesFieldNames(api, crd), retries) };
  const context = {
    api,
    crd,
    version,
    dryRun,
    signal,
    ...names,
    ...(retiring !== undefined && { retiring }),
  };
  const task = `storage in ${storageVersionOf(crd)}`;
  // Concurrent writes must already use the new version, or they would count as migrated and are not.
  await withRetries(() => untilStored(api, crd), retries);
  return migrateWith(api, crd, version, task, (metadata) => rewriteObject(context, metadata), {
    ...options,
    signal,
  });
}

/** The same for another kind of work on each object. `task` distinguishes the states of different work. */
export async function migrateWith(
  api: KubeApi,
  crd: CustomResourceDefinition,
  version: string,
  task: string,
  work: (metadata: ObjectMeta) => Promise<MigrationOutcome>,
  options: MigrateOptions,
): Promise<Migrated> {
  const state = await stateOf(crd, task, options);
  if (!state.finished) await wholePass(api, crd, version, state, work, options);
  const dryRun = options.dryRun ?? false;
  const outcome = { crd: crdName(crd), storageVersion: storageVersionOf(crd), dryRun, counts: state.counts };
  if (dryRun || options.prune === false) return outcome;
  const { signal, retryMs = RETRY_MS } = withSignal(options);
  const pruning = await withRetries(() => proveAndPrune(api, state), { signal, retryMs });
  return { ...outcome, pruning };
}

/** The caller's signal, or one that never fires; every request in flight listens to it. */
export function withSignal(options: MigrateOptions): MigrateOptions & { readonly signal: AbortSignal } {
  const { signal = new AbortController().signal, concurrency = CONCURRENCY } = options;
  setMaxListeners(4 * concurrency + 16, signal);
  return { ...options, signal };
}

async function stateOf(
  crd: CustomResourceDefinition,
  task: string,
  { state, resume }: MigrateOptions,
): Promise<MigrationState> {
  const { uid = '', generation = 0 } = crd.metadata;
  const kept = resume ? await state?.read() : undefined;
  if (kept !== undefined) {
    if (kept.crd !== crdName(crd) || kept.uid !== uid)
      throw new MigrationError(`${state!.path} is about another definition: ${kept.crd} (${kept.uid})`);
    if (kept.task === task) return kept;
    // What was rewritten for the old storage version has to be rewritten for this one.
  }
  return {
    format: 1,
    crd: crdName(crd),
    uid,
    generation,
    task,
    startedAt: new Date().toISOString(),
    continue: '',
    finished: false,
    counts: noCounts(),
  };
}

async function wholePass(
  api: KubeApi,
  crd: CustomResourceDefinition,
  version: string,
  state: MigrationState,
  work: (metadata: ObjectMeta) => Promise<MigrationOutcome>,
  options: MigrateOptions,
): Promise<void> {
  const { dryRun = false, signal } = withSignal(options);
  const pace = options.pace ?? new Pace(options.rate ?? 0, signal);
  const concurrency = options.concurrency ?? CONCURRENCY;
  const counts = { ...state.counts };
  let total: number | undefined;
  await pass({
    ...{ api, crd, version, pace, signal, continue: state.continue },
    concurrency,
    pageSize: options.pageSize ?? PAGE,
    retryMs: options.retryMs ?? RETRY_MS,
    work,
    done(entry) {
      count(counts, entry);
      options.report?.(entry);
      options.progress?.({ counts, total });
    },
    expect(onPage, remaining) {
      if (remaining !== undefined) total = totalOf(state.counts) + onPage + remaining;
      total ??= onPage;
    },
    async pageDone(next) {
      state.continue = next;
      state.finished = next === '';
      state.counts = { ...counts };
      if (!dryRun) await options.state?.write(state);
    },
  });
}
