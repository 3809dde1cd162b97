// `instar envtest`: lets suites that start kube-apiserver and etcd by themselves (envtest of
// controller-runtime, kube-api-test of fabric8) start Instar instead. `path` and `archive` are for users;
// `kube-apiserver` and `etcd` are what the programs in the directory run.
import { Command, Option } from 'commander';
import { apiServerOptions } from '../serve/command.ts';
import type { ServeFlags } from '../serve/flags.ts';
import type { ArchiveFlags } from './archive.ts';
import type { PathFlags } from './path.ts';

/** The release of Kubernetes that the server follows, as `setup-envtest` names directories. */
const KUBERNETES_VERSION = '1.36.4';

export function envtestCommand(): Command {
  return new Command('envtest')
    .description("programs in place of envtest's kube-apiserver and etcd, for tests of controllers")
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', AFTER_HELP)
    .addCommand(pathCommand())
    .addCommand(archiveCommand())
    .addCommand(apiServerCommand(), { hidden: true })
    .addCommand(etcdCommand(), { hidden: true });
}

function pathCommand(): Command {
  return new Command('path')
    .description('print a directory with kube-apiserver, etcd and kubectl, for KUBEBUILDER_ASSETS')
    .option('--dir <dir>', "where to make it (default: in the user's cache directory)")
    .addOption(new Option('--etcd <file>', 'a real etcd: data is stored there, and outlives the API server'))
    .addOption(new Option('--kubectl <file>', 'which kubectl (default: the one on PATH, if any)'))
    .helpOption('-h, --help', 'show this help')
    .allowExcessArguments(false)
    .action(async (flags: PathFlags) => {
      const [{ run }, { printPath }] = await Promise.all([
        import('../exit-with-message.ts'),
        import('./path.ts'),
      ]);
      await run(() => printPath(flags));
    });
}

function archiveCommand(): Command {
  return new Command('archive')
    .description('make the archive that `setup-envtest sideload` reads, and an index of it')
    .argument('[dir]', 'where to write both files', '.')
    .option('--kubernetes <version>', 'the version to file it under', KUBERNETES_VERSION)
    .addOption(new Option('--kubectl <file>', 'which kubectl (default: the one on PATH, if any)'))
    .option('--url <url>', 'where the archive will be offered, for the index (default: its own path)')
    .helpOption('-h, --help', 'show this help')
    .allowExcessArguments(false)
    .action(async (dir: string, flags: ArchiveFlags) => {
      const [{ run }, { makeArchive }] = await Promise.all([
        import('../exit-with-message.ts'),
        import('./archive.ts'),
      ]);
      await run(() => makeArchive(dir, flags));
    });
}

function apiServerCommand(): Command {
  const command = new Command('kube-apiserver')
    .description('an API server that is started with the flags of kube-apiserver and stores nothing')
    .helpOption('-h, --help', 'show this help')
    .allowExcessArguments(false)
    .action(async (flags: ServeFlags) => {
      const { standInForApiServer } = await import('./api-server.ts');
      await standInForApiServer(flags);
    });
  for (const option of apiServerOptions()) command.addOption(option);
  return command;
}

/** Its flags are Go's, which may begin with one dash, so commander does not read them. */
function etcdCommand(): Command {
  return new Command('etcd')
    .description('answers as a healthy etcd and stores nothing')
    .argument('[flags...]')
    .helpOption(false)
    .allowUnknownOption()
    .action(async (flags: string[]) => {
      const { standInForEtcd } = await import('./etcd.ts');
      await standInForEtcd(flags);
    });
}

const AFTER_HELP = `
Examples:
  KUBEBUILDER_ASSETS="$(npx instar envtest path)" go test ./...
  instar envtest archive && setup-envtest sideload ${KUBERNETES_VERSION} < envtest-v${KUBERNETES_VERSION}-linux-amd64.tar.gz`;
