// Runs the server of `instar serve`: one line when it is ready, a graceful shutdown on a signal, a sentence
// when it cannot start.
import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import type { RunningServer } from '@instar/server';
import { createLog, makeDirectory, writePrivateFile } from '@instar/serving';
import { startServer } from '../start-server.ts';
import { stayingAlive } from '../staying-alive.ts';
import { startFailure } from './failure.ts';
import type { ServeFlags } from './flags.ts';
import { ignoredAmong } from './ignored-flags.ts';
import { FlagError, type Settings, settingsOf } from './settings.ts';
import { untilReady } from './until-ready.ts';
import { boundYoungGeneration } from './young-generation.ts';

type Log = ReturnType<typeof createLog>;

export async function serve(flags: ServeFlags): Promise<void> {
  try {
    const settings = settingsOf(flags);
    const log = createLog({
      level: settings.logLevel,
      readable: isReadable(flags),
      colors: process.stderr.isTTY === true,
    });
    for (const flag of ignoredAmong(flags))
      log.info({ flag }, 'this flag of kube-apiserver is accepted and has no effect');
    await run(settings, log);
  } catch (error) {
    fail(error, flags);
  }
}

const isReadable = ({ logFormat }: ServeFlags): boolean =>
  logFormat === undefined ? process.stderr.isTTY === true : logFormat === 'text';

/**
 * V8 lets the heap double before it collects, which on a large machine leaves several times as much garbage
 * as data. With steps that are too small it collects too often: see docs/decisions/0010-heap-growth.md.
 */
const HEAP_GROWTH_PERCENT = 60;
/**
 * Two semispaces of 4 MB. When the server is ready they may have grown to 8 MB each; they stay so until there
 * is little load.
 */
const YOUNG_BYTES = 8 * 1024 * 1024;

async function run(settings: Settings, log: Log): Promise<void> {
  await makeDirectory(settings.dataDir);
  const server = await stayingAlive(startServer({ ...settings.server, log }));
  endOnSignals(server, log);
  await offerKubeconfig(settings.kubeconfigFile, server.kubeconfig());
  await untilReady(server);
  process.stdout.write(`ready ${server.url} kubeconfig ${settings.kubeconfigFile}\n`);
  if (isInteractive()) process.stderr.write(`export KUBECONFIG=${settings.kubeconfigFile}\n`);
  // Only now: once a flag has changed, V8 rejects all cached code, and that of the bundle and of Node itself
  // is cached.
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  // Young objects are collected every few milliseconds, and few survive: waking four threads for that costs
  // more than it saves.
  setFlagsFromString('--no-parallel-scavenge');
  boundYoungGeneration(YOUNG_BYTES);
}

/**
 * A kubeconfig that already leads to this server is left alone: its user may have set a namespace or added
 * clusters.
 */
async function offerKubeconfig(file: string, text: string): Promise<void> {
  const present = await readFile(file, 'utf8').catch(() => '');
  const access = text
    .match(/^\s*(server|certificate-authority-data|token): \S+$/gm)!
    .map((line) => line.trim());
  if (!access.every((line) => present.includes(line))) await writePrivateFile(file, text);
}

const isInteractive = (): boolean =>
  process.stdout.isTTY === true ||
  process.stderr.isTTY === true ||
  process.env['npm_lifecycle_event'] === 'start';

function endOnSignals(server: RunningServer, log: Log): void {
  let ending = false;
  const onSignal = (signal: string): void => {
    if (ending) process.exit(1);
    ending = true;
    log.info({ signal }, 'shutting down; a second signal exits immediately');
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

function fail(error: unknown, flags: ServeFlags): void {
  const hint = error instanceof FlagError ? '\n(instar serve --help lists every flag)' : '';
  process.stderr.write(`error: ${startFailure(error, flags)}${hint}\n`);
  process.exit(1);
}
