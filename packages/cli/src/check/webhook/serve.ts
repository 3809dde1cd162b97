// Runs the webhook of `instar check-webhook` from its first certificate to its last review.
import type { KubeClient } from '@instar/client';
import { admission, type HostOptions, type SelfManagedTls, serveWebhooks } from '@instar/webhook';
import { type ClusterFlags, openCluster } from '../../cluster-flags.ts';
import { CommandFailure, run } from '../../exit-with-message.ts';
import type { LogFlags } from '../../snapshot/log-flags.ts';
import type { NamespacedName } from '../../snapshot/namespaced-name.ts';
import { openLog } from '../../snapshot/open-log.ts';
import { untilSignal } from '../../snapshot/until-signal.ts';
import { cannotStart } from '../../webhook/cannot-start.ts';
import { type GuardOptions, guardDefinitions } from './guard-definitions.ts';

export interface CheckWebhookFlags extends ClusterFlags, LogFlags, GuardOptions {
  readonly bindAddress?: string;
  readonly port: number;
  readonly certFile?: string;
  readonly keyFile?: string;
  readonly service?: NamespacedName;
  readonly hosts?: readonly string[];
  readonly certSecret?: NamespacedName;
  readonly certDir?: string;
  readonly configuration?: string;
  readonly lameDuck: number;
}

const PATH = '/definitions';

export function checkWebhook(flags: CheckWebhookFlags): Promise<void> {
  return run(async () => {
    const log = openLog(flags);
    const { received } = untilSignal();
    const needsCluster = flags.certSecret !== undefined || flags.configuration !== undefined;
    const client = needsCluster ? await openCluster(flags, 'instar-check-webhook') : undefined;
    const host = await serveWebhooks({ ...hostOptions(flags, client), log }).catch(cannotStart(flags));
    process.stdout.write(`ready ${host.url} ${PATH}\n`);
    log.info({ signal: await received }, 'shutting down; a second signal exits immediately');
    await host.close();
    await client?.close();
    return 0;
  });
}

function hostOptions(flags: CheckWebhookFlags, client: KubeClient | undefined): HostOptions {
  const { mode, failOn, bindAddress, port, lameDuck } = flags;
  return {
    webhooks: { [PATH]: admission(guardDefinitions({ mode, failOn })) },
    listen: { port, ...(bindAddress !== undefined && { host: bindAddress }) },
    tls: filesTls(flags) ?? { selfManaged: selfManagedTls(flags, client) },
    limits: { lameDuckMs: lameDuck },
  };
}

function filesTls({ certFile, keyFile, certSecret, certDir, configuration }: CheckWebhookFlags) {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined)
    throw new CommandFailure('--cert-file and --key-file must be given together', 2);
  if (certSecret !== undefined || certDir !== undefined || configuration !== undefined)
    throw new CommandFailure(
      'with certificates from files, --cert-secret, --cert-dir and --configuration have no effect',
      2,
    );
  return { certFile, keyFile };
}

function selfManagedTls(
  { service, hosts, certSecret, certDir, configuration }: CheckWebhookFlags,
  client: KubeClient | undefined,
): SelfManagedTls {
  if (certSecret !== undefined && certDir !== undefined)
    throw new CommandFailure('choose one of --cert-dir and --cert-secret', 2);
  return {
    ...(service !== undefined && { service }),
    ...(hosts !== undefined && { hosts }),
    ...(certSecret !== undefined && { store: { secret: certSecret } }),
    ...(certDir !== undefined && { store: { directory: certDir } }),
    ...(configuration !== undefined && { inject: [{ validatingWebhookConfiguration: configuration }] }),
    ...(client !== undefined && { client }),
  };
}
