// `instar serve`: its flags and its help. kube-apiserver's own flag names work wherever they mean the same.
import {
  DEFAULT_BIND_ADDRESS,
  DEFAULT_ETCD_PREFIX,
  DEFAULT_EVENT_TTL_SECONDS,
  DEFAULT_LIMITS,
} from '@instar/server/wire/defaults';
import { DEFAULT_HISTORY_SECONDS } from '@instar/store/defaults';
import { Command, Option } from 'commander';
import { auditOptions } from './audit/flags.ts';
import { authenticationOptions } from './authentication/options.ts';
import { authorizationOptions } from './authorization/options.ts';
import { certificateOptions } from './certificate-options.ts';
import { emulatedVersion } from './emulated-version.ts';
import { etcdOptions } from './etcd-options.ts';
import {
  boolean,
  duration,
  durationText,
  featureGates,
  integer,
  ipAddress,
  moreCommas,
  port,
  runtimeConfig,
  serviceResolver,
} from './flag-values.ts';
import type { ServeFlags } from './flags.ts';
import { IGNORED_FLAGS } from './ignored-flags.ts';
import { serviceAccountOptions } from './service-accounts.ts';
import { DEFAULT_PORT } from './settings.ts';
import { tlsOptions } from './tls-options.ts';

const HISTORY_MS = DEFAULT_HISTORY_SECONDS * 1000;
const EVENT_TTL_MS = DEFAULT_EVENT_TTL_SECONDS * 1000;

export function serveCommand(): Command {
  const command = new Command('serve')
    .description('run an API server that kubectl and every Kubernetes client can use')
    .helpOption('-h, --help', 'show this help')
    .showHelpAfterError('(instar serve --help lists every flag)')
    .allowExcessArguments(false)
    .addHelpText('after', AFTER_HELP)
    .action(async (flags: ServeFlags) => {
      const { serve } = await import('./serve.ts');
      await serve(flags);
    });
  for (const option of apiServerOptions()) command.addOption(option);
  return command;
}

/** Also those that have no effect, which the help does not list. */
export function apiServerOptions(): Option[] {
  const ignored = [...IGNORED_FLAGS].map(([name, takesValue]) =>
    new Option(`--${name} ${takesValue ? '<value>' : '[value]'}`).hideHelp(),
  );
  return [...options(), ...ignored];
}

function options(): Option[] {
  const flag = (group: string, flags: string, description: string): Option =>
    new Option(flags, description).helpGroup(`${group}:`);
  const storage = (flags: string, text: string): Option => flag('Storage', flags, text);
  const listening = (flags: string, text: string): Option => flag('Listening', flags, text);
  const identity = (flags: string, text: string): Option => flag('Identity', flags, text);
  const limits = (flags: string, text: string): Option => flag('Limits', flags, text);
  const logging = (flags: string, text: string): Option => flag('Logging', flags, text);
  return [
    storage(
      '--data-dir <dir>',
      'where certificates, the admin token, the kubeconfig and (by default) the data are stored',
    ).default('.instar'),
    storage(
      '--storage <url>',
      'lmdb:DIR stores data on disk, memory: loses it at exit, etcd://HOST:PORT,… shares it (default: lmdb:DATA-DIR/store)',
    ),
    storage('--history <duration>', 'how long past revisions can be listed and watched from')
      .default(HISTORY_MS, durationText(HISTORY_MS))
      .argParser(duration),
    storage('--etcd-compaction-interval <duration>', 'the same, under the name of kube-apiserver').argParser(
      duration,
    ),
    storage(
      '--etcd-servers <urls>',
      'the same as etcd:// in --storage, in the form of kube-apiserver: http(s)://HOST:PORT,…',
    ).argParser(moreCommas),
    ...etcdOptions().map((option) => option.helpGroup('Storage:')),
    storage('--etcd-prefix <prefix>', 'what every key in the storage starts with').default(
      DEFAULT_ETCD_PREFIX,
    ),
    storage(
      '--encryption-provider-config <file>',
      'an EncryptionConfiguration: what is encrypted before it is stored, and with which keys',
    ),
    storage(
      '--encryption-provider-config-automatic-reload [bool]',
      'read the file again when it changes',
    ).argParser(boolean),
    storage('--event-ttl <duration>', 'how long events are kept')
      .default(EVENT_TTL_MS, durationText(EVENT_TTL_MS))
      .argParser(duration),
    listening('--bind-address <address>', 'the address to listen on; 0.0.0.0 for all of them').default(
      DEFAULT_BIND_ADDRESS,
    ),
    listening('--port <n>', `the port to listen on; 0 picks a free one (default: ${DEFAULT_PORT})`).argParser(
      port,
    ),
    listening('--secure-port <n>', 'the same, under the name of kube-apiserver').argParser(port),
    listening(
      '--tls-cert-file <file>',
      "a serving certificate instead of the server's own; read again when it changes",
    ),
    listening('--tls-private-key-file <file>', 'the key of --tls-cert-file'),
    listening(
      '--cert-dir <dir>',
      'serve apiserver.crt and apiserver.key of this directory, which are made if neither is there',
    ),
    identity(
      '--kubeconfig <file>',
      'where to write the kubeconfig of the admin (default: DATA-DIR/kubeconfig)',
    ),
    identity('--token-auth-file <file>', 'bearer tokens: lines of token,user,uid,"group1,group2"'),
    identity(
      '--client-ca-file <file>',
      'CA of client certificates: the common name is the user, organizations are the groups',
    ),
    ...tlsOptions().map((option) => option.helpGroup('Listening:')),
    ...authenticationOptions().map((option) => option.helpGroup('Identity:')),
    ...certificateOptions().map((option) => option.helpGroup('Identity:')),
    ...serviceAccountOptions().map((option) => option.helpGroup('Service accounts:')),
    ...authorizationOptions().map((option) => option.helpGroup('Authorization:')),
    identity(
      '--anonymous-auth <bool>',
      'whether requests without a credential are those of system:anonymous (default: true, unless AlwaysAllow)',
    ).argParser(boolean),
    ...auditOptions().map((option) => option.helpGroup('Audit:')),
    listening(
      '--advertise-address <address>',
      'where the service default/kubernetes leads (default: --bind-address, or an address of this machine)',
    ).argParser(ipAddress),
    limits(
      '--enable-priority-and-fairness <bool>',
      'share what the next two flags add up to by FlowSchemas and PriorityLevelConfigurations',
    )
      .default(true)
      .argParser(boolean),
    limits('--max-requests-inflight <n>', 'reads in flight, to share or beyond which 429. 0: no limit')
      .default(DEFAULT_LIMITS.maxRequestsInflight)
      .argParser(integer),
    limits('--max-mutating-requests-inflight <n>', 'writes in flight, likewise. 0: no limit')
      .default(DEFAULT_LIMITS.maxMutatingRequestsInflight)
      .argParser(integer),
    limits('--max-watches <n>', 'open watches; beyond it 429. 0: no limit')
      .default(DEFAULT_LIMITS.maxWatches)
      .argParser(integer),
    limits('--request-timeout <duration>', 'the longest that a request may take, except watches')
      .default(DEFAULT_LIMITS.requestTimeoutMs, durationText(DEFAULT_LIMITS.requestTimeoutMs))
      .argParser(duration),
    limits(
      '--min-request-timeout <seconds>',
      'a watch without timeoutSeconds lasts between this and twice this',
    )
      .default(DEFAULT_LIMITS.minRequestTimeoutMs / 1000)
      .argParser(integer),
    flag(
      'Objects',
      '--service-cluster-ip-range <ranges>',
      'of which services get their addresses: one range, or one of each family (default: 10.96.0.0/12)',
    ).argParser(moreCommas),
    flag(
      'Objects',
      '--controllers <names>',
      "which controllers run: * for all, NAME, -NAME, -* for none, by kube-controller-manager's names (default: *)",
    ).argParser(moreCommas),
    logging('--log-level <level>', 'what is logged').choices(['debug', 'info', 'warn', 'error', 'silent']),
    logging(
      '--log-format <format>',
      'json, or text for people (default: text on a terminal, else json)',
    ).choices(['json', 'text']),
    logging('-v, --v <n>', 'as for kube-apiserver: from 3 on every request is logged').argParser(integer),
    flag(
      'Webhooks',
      '--service-resolver <services>',
      'where the services of webhooks are: NAMESPACE/NAME[:PORT]=HOST:PORT,…',
    )
      .default({}, 'by their endpoints')
      .argParser(serviceResolver),
    flag(
      'Features',
      '--strict',
      'for rehearsals: fail what fails on kube-apiserver, where this server could go on (docs/departures.md)',
    ),
    flag(
      'Features',
      '--enable-admission-plugins <names>',
      'AlwaysPullImages, NamespaceExists, … : plugins of kube-apiserver that are off unless they are named',
    ).argParser(moreCommas),
    flag(
      'Features',
      '--disable-admission-plugins <names>',
      'NamespaceLifecycle, LimitRanger, ResourceQuota, … and the webhooks and policies, by the names of kube-apiserver',
    ).argParser(moreCommas),
    flag(
      'Features',
      '--admission-control-config-file <file>',
      'an AdmissionConfiguration with the configuration of PodSecurity',
    ),
    flag(
      'Features',
      '--runtime-config <versions>',
      'GROUP/VERSION=true,…: all versions of this server are served; others, and =false, are refused',
    ).argParser(runtimeConfig),
    flag('Features', '--emulated-version <version>', '1.36 only').argParser(emulatedVersion),
    flag(
      'Features',
      '--feature-gates <gates>',
      'Name=true,Name=false,…: CustomResourceWebhookConversion; those of kube-apiserver have no effect',
    )
      .default({}, 'none')
      .argParser(featureGates),
  ];
}

const AFTER_HELP = `
When the server is ready it prints one line on standard output:
  ready https://ADDRESS:PORT kubeconfig FILE
Everything else goes to standard error. SIGTERM or SIGINT end it within seconds; a second one at once.

Examples:
  instar serve                                       data in ./.instar, port ${DEFAULT_PORT}
  instar serve --storage memory: --port 0            forgets everything, any free port
  instar serve --data-dir /var/lib/instar --bind-address 0.0.0.0
  instar serve --storage etcd://10.0.0.1:2379,10.0.0.2:2379 --token-auth-file tokens.csv
  KUBECONFIG=.instar/kubeconfig kubectl get namespaces

Audit also has the flags --audit-log-batch-*, --audit-log-truncate-*, --audit-webhook-batch-* and
--audit-webhook-truncate-* of kube-apiserver, with its defaults.

Other flags of kube-apiserver that mean nothing here (--allow-privileged and the like) are accepted and have no effect.`;
