// Runs the webhook from its first certificate to its last review.
import type { KubeClient } from '@instar/client';
import { snapshotWebhooks } from '@instar/snapshot';
import { type HostOptions, type SelfManagedTls, serveWebhooks } from '@instar/webhook';
import { type ClusterFlags, openCluster } from '../cluster-flags.ts';
import { CommandFailure, run } from '../exit-with-message.ts';
import type { LogFlags } from '../snapshot/log-flags.ts';
import type { NamespacedName } from '../snapshot/namespaced-name.ts';
import { openLog } from '../snapshot/open-log.ts';
import { untilSignal } from '../snapshot/until-signal.ts';
import { cannotStart } from '../webhook/cannot-start.ts';

export interface SnapshotWebhookFlags extends ClusterFlags, LogFlags {
  readonly bindAddress?: string;
  readonly port: number;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly service?: NamespacedName;
  readonly hosts?: readonly string[];
  readonly secret?: NamespacedName;
  readonly certDir?: string;
  readonly configuration?: string;
  readonly clientCaFile?: string;
  readonly lameDuck: number;
}

export function snapshotWebhook(flags: SnapshotWebhookFlags): Promise<void> {
  return run(async () => {
    const log = openLog(flags);
    const { received } = untilSignal();
    const client = needsCluster(flags) ? await openCluster(flags, 'instar-snapshot-webhook') : undefined;
    const host = await serveWebhooks({ ...hostOptions(flags, client), log }).catch(cannotStart(flags));
    process.stdout.write(`ready ${host.url}\n`);
    log.info({ signal: await received }, 'shutting down; a second signal exits immediately');
    await host.close();
    await client?.close();
    return 0;
  });
}

const usesFiles = ({ tlsCertFile, tlsPrivateKeyFile }: SnapshotWebhookFlags): boolean =>
  tlsCertFile !== undefined || tlsPrivateKeyFile !== undefined;
const needsCluster = (flags: SnapshotWebhookFlags): boolean =>
  !usesFiles(flags) && (flags.secret !== undefined || flags.configuration !== undefined);

function hostOptions(flags: SnapshotWebhookFlags, client: KubeClient | undefined): HostOptions {
  const { bindAddress, port, clientCaFile, lameDuck } = flags;
  return {
    webhooks: snapshotWebhooks(),
    listen: { port, ...(bindAddress !== undefined && { host: bindAddress }) },
    tls: usesFiles(flags) ? filesTls(flags) : { selfManaged: selfManagedTls(flags, client) },
    ...(clientCaFile !== undefined && { clientCaFile }),
    limits: { lameDuckMs: lameDuck },
  };
}

function filesTls({
  tlsCertFile: certFile,
  tlsPrivateKeyFile: keyFile,
  configuration,
  secret,
  certDir,
}: SnapshotWebhookFlags) {
  if (certFile === undefined || keyFile === undefined)
    throw new CommandFailure('--tls-cert-file and --tls-private-key-file must be given together', 2);
  if (configuration !== undefined || secret !== undefined || certDir !== undefined)
    throw new CommandFailure(
      'with certificates from files, --configuration, --secret and --cert-dir have no effect: distribute the CA yourself',
      2,
    );
  return { certFile, keyFile };
}

function selfManagedTls(
  { service, hosts, secret, certDir, configuration }: SnapshotWebhookFlags,
  client: KubeClient | undefined,
): SelfManagedTls {
  if (secret !== undefined && certDir !== undefined)
    throw new CommandFailure('certificates are stored in a Secret or in a folder, not in both', 2);
  return {
    ...(service !== undefined && { service }),
    ...(hosts !== undefined && { hosts }),
    ...(secret !== undefined && { store: { secret } }),
    ...(certDir !== undefined && { store: { directory: certDir } }),
    ...(configuration !== undefined && { inject: [{ validatingWebhookConfiguration: configuration }] }),
    ...(client !== undefined && { client }),
  };
}
