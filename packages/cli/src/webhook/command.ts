// `instar webhook serve`: its flags and its help.
import { DEFAULT_LIMITS, DEFAULT_PORT } from '@instar/webhook/defaults';
import { Command, InvalidArgumentError, Option } from 'commander';
import { addClusterFlags } from '../cluster-flags.ts';
import { duration, durationText, integer, port } from '../serve/flag-values.ts';
import type { InjectFlag, NamespacedName, WebhookFlags } from './flags.ts';

export function webhookCommand(): Command {
  return new Command('webhook')
    .description('run conversion and admission webhooks that any Kubernetes cluster can call')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .addCommand(serveCommand());
}

function serveCommand(): Command {
  const command = new Command('serve')
    .description('serve lenses and functions as webhooks over HTTPS')
    .helpOption('-h, --help', 'show this help')
    .allowExcessArguments(false)
    .addHelpText('after', AFTER_HELP)
    .action(async (flags: WebhookFlags) => {
      const { serveWebhook } = await import('./serve.ts');
      await serveWebhook(flags);
    });
  for (const option of options()) command.addOption(option);
  return addClusterFlags(command);
}

function options(): Option[] {
  const group =
    (name: string) =>
    (flags: string, text: string): Option =>
      new Option(flags, text).helpGroup(`${name}:`);
  const served = group('What is served');
  const listening = group('Listening');
  const certificates = group('Certificates');
  const limits = group('Limits');
  const logging = group('Logging');
  return [
    served(
      '--lens <file...>',
      'lenses to convert by; KIND=FILE if the kind cannot be derived from the plural',
    ).argParser(gathered),
    served('--module <file...>', 'JavaScript modules with functions: see below').argParser(gathered),
    served('--convert-path <path>', 'where conversions are served').default('/convert'),
    listening('--bind-address <address>', 'the address to listen on (default: all of them)'),
    listening('--port <n>', 'the port to listen on; 0 picks a free one')
      .default(DEFAULT_PORT)
      .argParser(port),
    certificates(
      '--cert-file <file>',
      'a serving certificate that is renewed by others; read again when it changes',
    ),
    certificates('--key-file <file>', 'the key of --cert-file'),
    certificates(
      '--self-signed',
      'create a CA and a certificate, and renew them (the default without --cert-file)',
    ),
    certificates('--service <namespace/name>', 'the Service that the certificate is for').argParser(
      namespacedName,
    ),
    certificates('--host <name...>', 'more names and addresses that the certificate is for')
      .default([], 'localhost')
      .argParser(gathered),
    certificates(
      '--cert-dir <dir>',
      'store the certificates in this directory; ca.crt in it is what callers must trust',
    ),
    certificates(
      '--cert-secret <namespace/name>',
      'store the certificates in this Secret, which replicas share',
    ).argParser(namespacedName),
    certificates('--inject <target...>', 'write the CA there: crd/NAME, validating/NAME or mutating/NAME')
      .default([], 'nowhere')
      .argParser(injectTarget),
    certificates(
      '--client-ca-file <file>',
      'require client certificates of this CA (default: none are required)',
    ),
    limits('--max-in-flight <n>', 'reviews in flight; beyond it 429')
      .default(DEFAULT_LIMITS.maxInFlight)
      .argParser(integer),
    limits('--max-conversion-bytes <n>', 'the longest ConversionReview; beyond it 413')
      .default(DEFAULT_LIMITS.maxConversionBytes)
      .argParser(integer),
    limits('--shutdown-grace <duration>', 'how long reviews in flight may take after a signal')
      .default(DEFAULT_LIMITS.shutdownMs, durationText(DEFAULT_LIMITS.shutdownMs))
      .argParser(duration),
    limits('--lame-duck <duration>', 'how long to keep serving after a signal, while /readyz fails')
      .default(DEFAULT_LIMITS.lameDuckMs, durationText(DEFAULT_LIMITS.lameDuckMs))
      .argParser(duration),
    logging('--log-level <level>', 'what is logged; debug shows every review')
      .choices(['debug', 'info', 'warn', 'error', 'silent'])
      .default('info'),
    logging(
      '--log-format <format>',
      'json, or text for people (default: text on a terminal, else json)',
    ).choices(['json', 'text']),
  ];
}

const gathered = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

function namespacedName(text: string): NamespacedName {
  const match = /^([a-z0-9-]+)\/([a-z0-9.-]+)$/.exec(text);
  if (match === null) throw new InvalidArgumentError('It must be of the form NAMESPACE/NAME.');
  return { namespace: match[1]!, name: match[2]! };
}

const INJECTED: ReadonlyMap<string, InjectFlag['kind']> = new Map([
  ['crd', 'customResourceDefinition'],
  ['validating', 'validatingWebhookConfiguration'],
  ['mutating', 'mutatingWebhookConfiguration'],
]);

function injectTarget(text: string, before: readonly InjectFlag[] = []): readonly InjectFlag[] {
  const slash = text.indexOf('/');
  const kind = INJECTED.get(text.slice(0, slash));
  if (kind === undefined || slash === text.length - 1)
    throw new InvalidArgumentError('It must be crd/NAME, validating/NAME or mutating/NAME.');
  return [...before, { kind, name: text.slice(slash + 1) }];
}

const AFTER_HELP = `
A module exports any of these; paths are those of the reviews:
  export function validate(request) { … }      /validate: return { allowed: true } or { allowed: false, message, code }
  export function mutate(request) { … }        /mutate: return { allowed: true, patch: { changed: object } } or JSON Patch operations
  export default { group, kind, convert: { 'v1→v2': (object) => …, 'v2→v1': … } }
  export const webhooks = { '/any/path': … }   functions, conversions, or what admission() and conversion() of @instar/webhook make

When it is ready it prints one line on standard output:
  ready https://ADDRESS:PORT /convert /validate
GET /healthz, /livez, /readyz and /metrics are answered on the same port. SIGTERM or SIGINT end it in order; a second one at once.

Examples:
  instar webhook serve --lens crontab.yaml                             no code, a certificate for localhost
  instar webhook serve --lens crontab.yaml --service default/crontab \\
    --cert-secret default/crontab-tls --inject crd/crontabs.example.com   in a cluster, without cert-manager
  instar webhook serve --module hooks.mjs --cert-file tls.crt --key-file tls.key
  instar webhook serve --module hooks.mjs --cert-dir pki --host 10.0.0.7 --inject validating/hooks --kubeconfig kubeconfig`;
