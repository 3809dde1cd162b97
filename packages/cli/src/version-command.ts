import { Command } from 'commander';

/** `instar version`. */
export function versionCommand(): Command {
  return new Command('version')
    .description('print the version of instar and of the Kubernetes API that it serves')
    .action(async () => {
      const { INSTAR_VERSION, VERSION_INFO } = await import('@instar/server');
      process.stdout.write(
        `instar ${INSTAR_VERSION}\nKubernetes API ${VERSION_INFO.gitVersion}\nNode.js ${process.version}\n`,
      );
    });
}
