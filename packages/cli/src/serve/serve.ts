// Runs the server of `instar serve`: one line when it is ready, a graceful shutdown on a signal, a sentence
// when it cannot start.
import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { type Log, makeDirectory, writePrivateFile } from '@instar/serving';
import { startServer } from '../start-server.ts';
import { stayingAlive } from '../staying-alive.ts';
import { readAdmissionConfig } from './admission-config-file.ts';
import { openAudit } from './audit/open-audit.ts';
import { openAuthentication } from './authentication/open-authentication.ts';
import { readAuthorizationConfig } from './authorization/config-file.ts';
import { followAuthorizationConfig } from './authorization/follow-config.ts';
import { openAuthorizers } from './authorization/open-authorizers.ts';
import { ensureServingPair } from './cert-dir.ts';
import { openEncryption } from './encryption/open-encryption.ts';
import { endOnSignals } from './end-on-signals.ts';
import { fail } from './failure.ts';
import type { ServeFlags } from './flags.ts';
import { serveLog } from './serve-log.ts';
import { type Settings, settingsOf } from './settings.ts';
import { untilReady } from './until-ready.ts';
import { boundYoungGeneration } from './young-generation.ts';

export async function serve(flags: ServeFlags): Promise<void> {
  try {
    const settings = settingsOf(flags);
    await ensureServingPair(flags);
    await run(flags, settings, serveLog(flags, settings));
  } catch (error) {
    fail(error, flags);
  }
}

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

async function run(flags: ServeFlags, settings: Settings, log: Log): Promise<void> {
  await makeDirectory(settings.dataDir);
  const authorizers = settings.authorizers ?? (await readAuthorizationConfig(settings.authorizationConfig!));
  const authorizationModes = await openAuthorizers(authorizers);
  const { authorizationConfig: file } = settings;
  const followAuthorization =
    file === undefined ? undefined : followAuthorizationConfig(file, authorizers, log);
  const audit = await openAudit(settings.audit, log);
  const authentication = await openAuthentication(flags, log);
  const encryption = await openEncryption(settings.encryption, log);
  const admissionConfiguration =
    settings.admissionConfig === undefined ? {} : await readAdmissionConfig(settings.admissionConfig);
  const server = await stayingAlive(
    startServer({
      ...settings.server,
      ...authentication,
      authorizationModes,
      admissionConfiguration,
      ...(followAuthorization && { followAuthorization }),
      ...(audit && { audit }),
      ...(encryption && { encryption }),
      log,
    }),
  );
  const ending = endOnSignals(server, log);
  await offerKubeconfig(settings.kubeconfigFile, server.kubeconfig());
  if (!(await untilReady(server, ending))) return;
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
