// `instar check-webhook`: its flags and its help.
import { DEFAULT_PORT } from '@instar/webhook/defaults';
import { Command, Option } from 'commander';
import { addClusterFlags } from '../../cluster-flags.ts';
import { commas, duration, port } from '../../serve/flag-values.ts';
import { addLogFlags } from '../../snapshot/log-flags.ts';
import { namespacedName } from '../../snapshot/namespaced-name.ts';
import type { CheckWebhookFlags } from './serve.ts';

export function checkWebhookCommand(): Command {
  const command = new Command('check-webhook')
    .description(
      'run an admission webhook that refuses, warns about or audits breaking changes of definitions',
    )
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', AFTER_HELP)
    .action(async (flags: CheckWebhookFlags) => {
      const { checkWebhook } = await import('./serve.ts');
      await checkWebhook(flags);
    });
  for (const option of options()) command.addOption(option);
  return addLogFlags(addClusterFlags(command));
}

function options(): Option[] {
  return [
    new Option('--mode <mode>', 'what happens to a breaking change')
      .choices(['deny', 'warn', 'audit'])
      .default('deny'),
    new Option('--fail-on <severity>', 'changes count from this severity on')
      .choices(['breaking', 'unsure', 'caution'])
      .default('breaking'),
    new Option('--bind-address <address>', 'the address to listen on (default: all)'),
    new Option('--port <n>', 'the port to listen on; 0 picks a free one')
      .default(DEFAULT_PORT)
      .argParser(port),
    new Option('--cert-file <file>', 'the serving certificate; read again when it changes'),
    new Option('--key-file <file>', 'the key of --cert-file'),
    new Option(
      '--service <namespace/name>',
      'without files: the Service that the certificate is made for',
    ).argParser(namespacedName),
    new Option(
      '--hosts <names>',
      'without files: more names and addresses for the certificate, separated by commas',
    ).argParser(commas),
    new Option(
      '--cert-secret <namespace/name>',
      'without files: the Secret in which replicas share CA and certificate',
    ).argParser(namespacedName),
    new Option('--cert-dir <dir>', 'without files: the folder in which CA and certificate are kept'),
    new Option('--configuration <name>', 'the ValidatingWebhookConfiguration that the CA is written into'),
    new Option('--lame-duck <duration>', 'how long to keep serving after SIGTERM, while not ready')
      .default(0, '0s')
      .argParser(duration),
  ];
}

const AFTER_HELP = `
When it serves it prints one line on standard output:
  ready https://ADDRESS:PORT /definitions
Point a ValidatingWebhookConfiguration at /definitions, for UPDATE (and DELETE) of customresourcedefinitions in apiextensions.k8s.io/v1.
A change that is meant is let through if the new definition has the annotation instar.dev/allow-breaking-changes with a reason.`;
