// Finds the cluster as kubectl does: the named file, else the merged files of $KUBECONFIG, else
// ~/.kube/config, else the service account of the pod.
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { type ClusterAccess, clusterAccessOf } from './cluster-access.ts';
import { readInClusterAccess } from './in-cluster.ts';
import { type Kubeconfig, mergeKubeconfigs, parseKubeconfig } from './kubeconfig.ts';
import { KubeconfigError } from './kubeconfig-error.ts';

/** Where to look for a kubeconfig, and which context to use. */
export interface AccessOptions {
  /** A kubeconfig file, which must exist. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Overrides that of the context. */
  readonly namespace?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
  readonly serviceAccountFolder?: string;
}

/** Finds the cluster as kubectl does: by a kubeconfig, or else by the pod's service account. */
export async function readClusterAccess(options: AccessOptions = {}): Promise<ClusterAccess> {
  const env = options.env ?? process.env;
  const config = await readKubeconfig(options);
  const access = hasContexts(config, options)
    ? clusterAccessOf(config, options.context ?? config.currentContext)
    : await readInClusterAccess(env, options.serviceAccountFolder);
  if (access === undefined)
    throw new KubeconfigError('no cluster is configured: set KUBECONFIG or name a kubeconfig file');
  return options.namespace === undefined ? access : { ...access, namespace: options.namespace };
}

const hasContexts = (config: Kubeconfig, options: AccessOptions): boolean =>
  options.kubeconfig !== undefined || options.context !== undefined || config.contexts.size > 0;

/** Reads and merges the kubeconfig files that kubectl would read. */
export async function readKubeconfig(options: AccessOptions = {}): Promise<Kubeconfig> {
  if (options.kubeconfig !== undefined) return readOne(resolve(options.kubeconfig), true);
  const named = (options.env ?? process.env)['KUBECONFIG'];
  const files = named
    ? named.split(delimiter).filter((file) => file !== '')
    : [join(options.home ?? homedir(), '.kube', 'config')];
  return mergeKubeconfigs(await Promise.all(files.map((file) => readOne(resolve(file), false))));
}

function unreadable(file: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return `the kubeconfig ${file} does not exist`;
  return code === 'EISDIR'
    ? `the kubeconfig ${file} is a directory`
    : `cannot read the kubeconfig ${file}: ${message}`;
}

/** kubectl ignores missing files of $KUBECONFIG. */
async function readOne(file: string, mustExist: boolean): Promise<Kubeconfig> {
  try {
    return parseKubeconfig(await readFile(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof KubeconfigError) throw error;
    if (!mustExist && (error as NodeJS.ErrnoException).code === 'ENOENT') return parseKubeconfig('', file);
    throw new KubeconfigError(unreadable(file, error as NodeJS.ErrnoException));
  }
}
