// Retires a version from the command line: shows its state, takes the steps that are possible, and undoes
// them.
import { setTimeout } from 'node:timers/promises';
import type { KubeClient } from '@instar/client';
import {
  doStep,
  MigrationError,
  printSteps,
  RetirementJournal,
  type RetirementState,
  type RetirementStep,
  readRetirementState,
  requireVersion,
  stepsOf,
  undoStep,
} from '@instar/migrate';
import { type ClusterFlags, openCluster } from '../cluster-flags.ts';
import { confirmed } from '../confirmed.ts';
import { CommandFailure, run } from '../exit-with-message.ts';

export interface RetireFlags extends ClusterFlags {
  readonly to?: string;
  readonly do?: boolean;
  readonly undo?: boolean;
  readonly yes?: boolean;
  readonly ignoreClients?: boolean;
  readonly quietFor: number;
  readonly watch?: boolean;
  readonly journal?: string;
  readonly output: 'text' | 'json';
}

const WATCH_MS = 2_000;

interface Reading {
  readonly retirement: RetirementState;
  readonly steps: RetirementStep[];
}

export function retire(crd: string, version: string, flags: RetireFlags): Promise<void> {
  return run(async () => {
    const api = await openCluster(flags, 'instar-retire');
    try {
      await refuseUnknown(await read(api, crd, version, flags), flags);
      if (flags.watch) return await watch(api, crd, version, flags);
      if (flags.undo) return await undo(api, crd, version, flags);
      if (flags.do) return await takeSteps(api, crd, version, flags);
      const reading = await read(api, crd, version, flags);
      show(reading, flags);
      return isGone(reading) ? 0 : 1;
    } finally {
      await api.close();
    }
  });
}

async function read(
  api: KubeClient,
  crd: string,
  version: string,
  { to, quietFor }: RetireFlags,
): Promise<Reading> {
  const retirement = await readRetirementState(api, crd, version, to);
  return { retirement, steps: stepsOf(retirement, { quietMs: quietFor, now: Date.now() }) };
}

/**
 * A version that the definition does not have was retired only if the journal says so: otherwise it is
 * probably a typo.
 */
async function refuseUnknown(reading: Reading, flags: RetireFlags): Promise<void> {
  if (!isGone(reading) || (await journalOf(flags, reading.retirement)).last !== undefined) return;
  requireVersion(reading.retirement.crd, reading.retirement.version);
}

function show({ retirement, steps }: Reading, { output }: RetireFlags): void {
  const { name, version } = retirement;
  process.stdout.write(
    output === 'json'
      ? `${JSON.stringify({ crd: name, version, steps }, undefined, 2)}\n`
      : printSteps(retirement, steps),
  );
}

const isGone = ({ retirement }: Reading): boolean => !retirement.defined && !retirement.isInStoredVersions;

async function watch(api: KubeClient, crd: string, version: string, flags: RetireFlags): Promise<number> {
  let shown = '';
  for (;;) {
    const reading = await read(api, crd, version, flags);
    const text = printSteps(reading.retirement, reading.steps);
    if (process.stdout.isTTY) process.stdout.write(`\x1b[H\x1b[2J${text}`);
    else if (text !== shown) process.stdout.write(text);
    shown = text;
    if (isGone(reading)) return 0;
    await setTimeout(WATCH_MS);
  }
}

const journalOf = (
  { journal }: RetireFlags,
  { name, version }: RetirementState,
): Promise<RetirementJournal> =>
  RetirementJournal.open(journal ?? `.instar-retire-${name}-${version}.json`, name, version);

/** The state is read again before each step: the previous one may have changed it. */
async function takeSteps(api: KubeClient, crd: string, version: string, flags: RetireFlags): Promise<number> {
  const passedOver = new Set<string>(flags.ignoreClients ? ['clients'] : []);
  const taken = new Set<string>();
  for (;;) {
    const reading = await read(api, crd, version, flags);
    const next = reading.steps.find(({ name, state }) => state !== 'done' && !passedOver.has(name));
    if (next === undefined) {
      show(reading, flags);
      return isGone(reading) ? 0 : 1;
    }
    if (next.state === 'blocked') {
      show(reading, flags);
      process.stderr.write(
        `step "${next.title}" is not possible yet${next.name === 'clients' ? '; --ignore-clients skips it' : ''}\n`,
      );
      return 1;
    }
    if (taken.has(next.name))
      throw new CommandFailure(`step "${next.title}" was taken, but is not complete`, 1);
    taken.add(next.name);
    if (!(await confirmed(`${capitalized(next.title)}? (undo: ${next.undo})`, flags.yes))) return 1;
    const journal = await journalOf(flags, reading.retirement);
    await journal.prepare();
    await journal.add(await doStep(api, reading.retirement, next.name).catch(leftToDo));
    process.stderr.write(`done: ${next.title}\n`);
  }
}

/** Earlier steps may have been taken: this differs from a retirement that could not start. */
function leftToDo(error: unknown): never {
  throw error instanceof MigrationError ? new CommandFailure(error.message, 1) : error;
}

async function undo(api: KubeClient, crd: string, version: string, flags: RetireFlags): Promise<number> {
  const { retirement, steps } = await read(api, crd, version, flags);
  const journal = await journalOf(flags, retirement);
  const { last } = journal;
  if (last === undefined) throw new CommandFailure(`there is nothing to undo (${journal.path})`, 2);
  const step = steps.find(({ name }) => name === last.step)!;
  if (!(await confirmed(`Undo "${step.title}" of ${last.at}? (${step.undo})`, flags.yes))) return 1;
  await undoStep(api, retirement, last);
  await journal.removeLast();
  process.stderr.write(`undone: ${step.title}\n`);
  return 0;
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
