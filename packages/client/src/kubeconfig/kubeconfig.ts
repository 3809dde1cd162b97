// The types of a kubeconfig, and how it is parsed and merged. read-access.ts finds the files.
import { dirname, isAbsolute, resolve } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue, parseYaml } from '@instar/machinery';
import { KubeconfigError } from './kubeconfig-error.ts';

export interface ExecEntry {
  readonly apiVersion?: string;
  readonly command?: string;
  readonly args?: readonly string[] | null;
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
  readonly installHint?: string;
  readonly provideClusterInfo?: boolean;
  readonly interactiveMode?: string;
}

export interface ClusterEntry {
  readonly server?: string;
  readonly 'certificate-authority'?: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'tls-server-name'?: string;
  readonly 'proxy-url'?: string;
  readonly extensions?: readonly { readonly name: string; readonly extension: JsonValue }[];
}

export interface UserEntry {
  readonly 'client-certificate'?: string;
  readonly 'client-certificate-data'?: string;
  readonly 'client-key'?: string;
  readonly 'client-key-data'?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly as?: string;
  readonly 'as-uid'?: string;
  readonly 'as-groups'?: readonly string[];
  readonly 'as-user-extra'?: Readonly<Record<string, readonly string[]>>;
  readonly 'auth-provider'?: { readonly name?: string };
  readonly exec?: ExecEntry;
}

export interface ContextEntry {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
}

/** A parsed kubeconfig, or several that are merged. */
export interface Kubeconfig {
  readonly currentContext: string;
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
}

const PATHS = {
  clusters: ['certificate-authority'],
  users: ['client-certificate', 'client-key', 'tokenFile'],
  contexts: [],
} as const;

/** `file` is where the text is from: errors name it, and relative paths are resolved from its folder. */
export function parseKubeconfig(text: string, file: string): Kubeconfig {
  const root = rootOf(text, file);
  const folder = dirname(file);
  const current = root['current-context'];
  return {
    currentContext: typeof current === 'string' ? current : '',
    clusters: entriesOf<ClusterEntry>(root, 'clusters', 'cluster', folder, file),
    users: entriesOf<UserEntry>(root, 'users', 'user', folder, file),
    contexts: entriesOf<ContextEntry>(root, 'contexts', 'context', folder, file),
  };
}

function rootOf(text: string, file: string): JsonObject {
  let value: JsonValue;
  try {
    value = parseYaml(text).value;
  } catch (error) {
    throw new KubeconfigError(`${file} is not a kubeconfig: ${(error as Error).message}`);
  }
  if (value === null) return {};
  if (!isJsonObject(value)) throw new KubeconfigError(`${file} is not a kubeconfig: it is not an object`);
  return value;
}

function entriesOf<T>(
  root: JsonObject,
  list: keyof typeof PATHS,
  field: string,
  folder: string,
  file: string,
): Map<string, T> {
  const entries = new Map<string, T>();
  const items = root[list] ?? [];
  if (!Array.isArray(items)) throw new KubeconfigError(`${file} is not a kubeconfig: ${list} is not a list`);
  for (const item of items) {
    const name = isJsonObject(item) ? item['name'] : undefined;
    if (typeof name !== 'string')
      throw new KubeconfigError(`${file} is not a kubeconfig: an entry of ${list} has no name`);
    const entry = (item as JsonObject)[field] ?? {};
    if (!isJsonObject(entry))
      throw new KubeconfigError(
        `${file} is not a kubeconfig: the ${field} ${JSON.stringify(name)} is not an object`,
      );
    if (!entries.has(name)) entries.set(name, absolutePaths(entry, PATHS[list], folder) as T);
  }
  return entries;
}

function absolutePaths(entry: JsonObject, fields: readonly string[], folder: string): JsonObject {
  const result: JsonObject = { ...entry };
  for (const field of fields) {
    const path = result[field];
    if (typeof path === 'string' && path !== '')
      result[field] = isAbsolute(path) ? path : resolve(folder, path);
  }
  return isJsonObject(result['exec']) ? { ...result, exec: absoluteCommand(result['exec'], folder) } : result;
}

/** A bare name is looked up on PATH; a path with a slash is resolved from the kubeconfig's folder. */
function absoluteCommand(exec: JsonObject, folder: string): JsonObject {
  const command = exec['command'];
  const relative = typeof command === 'string' && command.includes('/') && !isAbsolute(command);
  return relative ? { ...exec, command: resolve(folder, command) } : exec;
}

/** The first file wins, as with kubectl: later files add entries but never change them. */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const merged = <T>(pick: (config: Kubeconfig) => ReadonlyMap<string, T>): Map<string, T> =>
    new Map(configs.toReversed().flatMap((config) => [...pick(config)]));
  return {
    currentContext: configs.find(({ currentContext }) => currentContext !== '')?.currentContext ?? '',
    clusters: merged(({ clusters }) => clusters),
    users: merged(({ users }) => users),
    contexts: merged(({ contexts }) => contexts),
  };
}
