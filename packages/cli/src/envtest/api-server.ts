// Stands in for kube-apiserver in tests: started with its flags, with its data in memory unless
// --etcd-servers is a real etcd. Nothing is written but what --cert-dir means.

import { endWithParent } from '../end-with-parent.ts';
import { openAudit } from '../serve/audit/open-audit.ts';
import { openAuthentication } from '../serve/authentication/open-authentication.ts';
import { ensureServingPair } from '../serve/cert-dir.ts';
import { openEncryption } from '../serve/encryption/open-encryption.ts';
import { endOnSignals } from '../serve/end-on-signals.ts';
import { fail } from '../serve/failure.ts';
import { commas } from '../serve/flag-values.ts';
import type { ServeFlags } from '../serve/flags.ts';
import { serveLog } from '../serve/serve-log.ts';
import { settingsOf } from '../serve/settings.ts';
import { untilReady } from '../serve/until-ready.ts';
import { startServer } from '../start-server.ts';
import { stayingAlive } from '../staying-alive.ts';
import { claimStandIn, isStandIn } from './stand-in.ts';

/** For suites whose flags are those of kube-apiserver. */
const CONTROLLERS_VARIABLE = 'INSTAR_CONTROLLERS';
/**
 * Suites for kube-apiserver alone finalize namespaces themselves, name owners that do not exist, and count
 * the objects of a namespace.
 */
const DEFAULT_CONTROLLERS = [
  'certificatesigningrequest-signing-controller',
  'clusterrole-aggregation-controller',
  'storage-version-migrator-controller',
  'validatingadmissionpolicy-status-controller',
];

const controllersOf = (text: string | undefined): readonly string[] =>
  text === undefined || text === '' ? DEFAULT_CONTROLLERS : commas(text);

/** Suites stop their control plane while requests of their controllers are still in flight. */
const SHUTDOWN_GRACE_MS = 500;

export async function standInForApiServer(flags: ServeFlags): Promise<void> {
  endWithParent('always');
  try {
    const { etcdServers = [], storage } = flags;
    const settings = settingsOf(flags);
    const log = serveLog(flags, settings);
    const standIn = storage === undefined && (await isStandIn(etcdServers)) ? etcdServers[0] : undefined;
    await ensureServingPair(flags);
    const { dataDir: _, ...options } = settings.server;
    const isStored = standIn === undefined && (storage !== undefined || etcdServers.length > 0);
    const audit = await openAudit(settings.audit, log);
    const authentication = await openAuthentication(flags, log);
    const encryption = await openEncryption(settings.encryption, log);
    const server = await stayingAlive(
      startServer({
        ...options,
        ...authentication,
        ...(!isStored && { storage: 'memory:' }),
        ...(audit && { audit }),
        controllers: options.controllers ?? controllersOf(process.env[CONTROLLERS_VARIABLE]),
        ...(encryption && { encryption }),
        limits: { ...options.limits, shutdownGraceMs: SHUTDOWN_GRACE_MS },
        log,
      }),
    );
    const ending = endOnSignals(server, log);
    if (standIn !== undefined) await claimStandIn(standIn, flags.etcdPrefix);
    if (await untilReady(server, ending)) process.stdout.write(`ready ${server.url}\n`);
  } catch (error) {
    fail(error, flags);
  }
}
