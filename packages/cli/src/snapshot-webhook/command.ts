// `instar snapshot-webhook`: its flags and its help.
import { DEFAULT_PORT } from '@instar/webhook/defaults';
import { Command, Option } from 'commander';
import { addClusterFlags } from '../cluster-flags.ts';
import { commas, duration, port } from '../serve/flag-values.ts';
import { addLogFlags } from '../snapshot/log-flags.ts';
import { namespacedName } from '../snapshot/namespaced-name.ts';
import type { SnapshotWebhookFlags } from './webhook.ts';

export function snapshotWebhookCommand(): Command {
  const command = new Command('snapshot-webhook')
    .description('run the validating webhook for VolumeSnapshots and VolumeSnapshotContents')
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', AFTER_HELP)
    .action(async (flags: SnapshotWebhookFlags) => {
      const { snapshotWebhook } = await import('./webhook.ts');
      await snapshotWebhook(flags);
    });
  for (const option of options()) command.addOption(option);
  return addLogFlags(addClusterFlags(command));
}

function options(): Option[] {
  return [
    new Option('--bind-address <address>', 'the address to listen on (default: all)'),
    new Option('--port <n>', 'the port to listen on; 0 picks a free one')
      .default(DEFAULT_PORT)
      .argParser(port),
    new Option('--tls-cert-file <file>', 'the serving certificate; read again when it changes'),
    new Option('--tls-private-key-file <file>', 'the key of --tls-cert-file'),
    new Option(
      '--service <namespace/name>',
      'without files: the Service that the certificate is made for',
    ).argParser(namespacedName),
    new Option(
      '--hosts <names>',
      'without files: more names and addresses for the certificate, separated by commas',
    ).argParser(commas),
    new Option(
      '--secret <namespace/name>',
      'without files: the Secret in which replicas share CA and certificate',
    ).argParser(namespacedName),
    new Option('--cert-dir <dir>', 'without files: the folder in which CA and certificate are kept'),
    new Option('--configuration <name>', 'the ValidatingWebhookConfiguration that the CA is written into'),
    new Option(
      '--client-ca-file <file>',
      'require client certificates of this CA (default: none are required)',
    ),
    new Option('--lame-duck <duration>', 'how long to keep serving after SIGTERM, while not ready')
      .default(0, '0s')
      .argParser(duration),
  ];
}

const AFTER_HELP = `
When it serves it prints one line on standard output:
  ready https://ADDRESS:PORT
Webhooks: /volumesnapshots (and /volumesnapshot). Also /healthz, /readyz, /metrics.

Examples:
  instar snapshot-webhook --tls-cert-file cert.pem --tls-private-key-file key.pem
  instar snapshot-webhook --service snapshot-system/snapshot-validation-service \\
    --secret snapshot-system/snapshot-validation-secret --configuration validation-webhook.snapshot.storage.k8s.io`;
