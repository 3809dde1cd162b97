// Runs the server of `instar serve` from start to end: one line when it is ready, an orderly end on a signal, a sentence when it cannot start.
import { mkdir, readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import type { RunningServer } from '@instar/server';
import { createLog, writePrivateFile } from '@instar/serving';
import { startServer } from '../start-server.ts';
import { startFailure } from './failure.ts';
import type { ServeFlags } from './flags.ts';
import { ignoredAmong } from './ignored-flags.ts';
import { FlagError, type Settings, settingsOf } from './settings.ts';
import { untilReady } from './until-ready.ts';

type Log = ReturnType<typeof createLog>;

export async function serve(flags: ServeFlags): Promise<void> {
  try {
    const settings = settingsOf(flags);
    const log = createLog({ level: settings.logLevel, readable: isReadable(flags), colors: process.stderr.isTTY === true });
    for (const flag of ignoredAmong(flags)) log.info({ flag }, 'this flag of kube-apiserver is accepted and has no effect');
    await run(settings, log);
  } catch (error) {
    fail(error, flags.dataDir);
  }
}

const isReadable = ({ logFormat }: ServeFlags): boolean => (logFormat === undefined ? process.stderr.isTTY === true : logFormat === 'text');

/**
 * V8 lets the heap double before it collects, which on a large machine leaves several times as much garbage as data. Growing in smaller steps
 * costs no measurable time here: see docs/decisions/0010-heap-growth.md.
 */
const HEAP_GROWTH_PERCENT = 20;

async function run(settings: Settings, log: Log): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  const server = await stayingAlive(startServer({ ...settings.server, log }));
  endOnSignals(server, log);
  await offerKubeconfig(settings.kubeconfigFile, server.kubeconfig());
  await untilReady(server);
  process.stdout.write(`ready ${server.url} kubeconfig ${settings.kubeconfigFile}\n`);
  if (isInteractive()) process.stderr.write(`export KUBECONFIG=${settings.kubeconfigFile}\n`);
}

/** While a storage that cannot be reached is waited for, there is nothing else that would keep the process from ending without a word. */
async function stayingAlive<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, 60_000);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

/** A file that leads to this server already stays as it is: its user may have set a namespace or added clusters. */
async function offerKubeconfig(file: string, text: string): Promise<void> {
  const present = await readFile(file, 'utf8').catch(() => '');
  const access = text.match(/^\s*(server|certificate-authority-data|token): \S+$/gm)!.map((line) => line.trim());
  if (!access.every((line) => present.includes(line))) await writePrivateFile(file, text);
}

const isInteractive = (): boolean =>
  process.stdout.isTTY === true || process.stderr.isTTY === true || process.env['npm_lifecycle_event'] === 'start';

function endOnSignals(server: RunningServer, log: Log): void {
  let ending = false;
  const onSignal = (signal: string): void => {
    if (ending) process.exit(1);
    ending = true;
    log.info({ signal }, 'shutting down; a second signal ends at once');
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

function fail(error: unknown, dataDir: string): void {
  const hint = error instanceof FlagError ? '\n(instar serve --help lists every flag)' : '';
  process.stderr.write(`error: ${startFailure(error, dataDir)}${hint}\n`);
  process.exit(1);
}
