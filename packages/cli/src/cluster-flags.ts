// The flags with which commands find a cluster: kubectl's own.
import type { KubeClient } from '@instar/client';
import type { Command } from 'commander';
import { CommandFailure } from './exit-with-message.ts';

export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
}

export function addClusterFlags(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'the kubeconfig to use (default: as kubectl finds it)')
    .option('--context <name>', 'the context of the kubeconfig to use');
}

/** `program` is what the server sees as the user agent. */
export async function openCluster(
  { kubeconfig, context }: ClusterFlags,
  program: string,
  connections = 16,
): Promise<KubeClient> {
  const { KubeconfigError, openKubeClient } = await import('@instar/client');
  try {
    return await openKubeClient({
      userAgent: `${program} (${process.platform}/${process.arch})`,
      connections,
      ...(kubeconfig !== undefined && { kubeconfig }),
      ...(context !== undefined && { context }),
    });
  } catch (error) {
    if (error instanceof KubeconfigError)
      throw new CommandFailure(`${error.message}; see --kubeconfig and --context`);
    throw error;
  }
}
