// How to access one cluster as one user, derived from a kubeconfig. Files are only named here, not read.
import type { JsonValue } from '@instar/machinery';
import type { ClusterEntry, ContextEntry, ExecEntry, Kubeconfig, UserEntry } from './kubeconfig.ts';
import { KubeconfigError } from './kubeconfig-error.ts';

/** A file is reread periodically, so that rotated certificates are used. */
export type PemSource = { readonly pem: string } | { readonly file: string };

interface TlsAccess {
  readonly ca?: PemSource;
  readonly serverName?: string;
  readonly insecure: boolean;
  readonly clientCertificate?: { readonly certificate: PemSource; readonly key: PemSource };
}

export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export interface ExecAccess {
  readonly apiVersion: 'client.authentication.k8s.io/v1' | 'client.authentication.k8s.io/v1beta1';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly installHint: string;
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
  /** The cluster info for the plugin, if provideClusterInfo is set. */
  readonly cluster?: JsonValue;
}

/** What is needed to call a cluster: address, certificates, credentials, namespace. */
export interface ClusterAccess {
  /** The name of the context; empty if there is none. */
  readonly context: string;
  /** With the base path, if it has one; no trailing slash. */
  readonly server: string;
  readonly namespace: string;
  readonly tls: TlsAccess;
  readonly proxyUrl?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly basic?: { readonly username: string; readonly password: string };
  readonly exec?: ExecAccess;
  readonly impersonate?: Impersonation;
}

/** The access that a context of a kubeconfig describes. */
export function clusterAccessOf(
  config: Kubeconfig,
  contextName: string = config.currentContext,
): ClusterAccess {
  const context = contextOf(config, contextName);
  const cluster = config.clusters.get(context.cluster ?? '');
  if (cluster === undefined)
    throw new KubeconfigError(
      `context ${quote(contextName)} names the cluster ${quote(context.cluster)}, which does not exist`,
    );
  const user = context.user === undefined || context.user === '' ? {} : config.users.get(context.user);
  if (user === undefined)
    throw new KubeconfigError(
      `context ${quote(contextName)} names the user ${quote(context.user)}, which does not exist`,
    );
  return {
    context: contextName,
    server: serverOf(cluster, context.cluster ?? ''),
    namespace: context.namespace || 'default',
    tls: tlsOf(cluster, user),
    ...(cluster['proxy-url'] && { proxyUrl: cluster['proxy-url'] }),
    ...credentialsOf(user, cluster, context.user ?? ''),
    ...impersonationOf(user),
  };
}

const quote = (name: string | undefined): string => JSON.stringify(name ?? '');

function contextOf(config: Kubeconfig, name: string): ContextEntry {
  if (name === '') throw new KubeconfigError('the kubeconfig has no current context: name one');
  const context = config.contexts.get(name);
  if (context !== undefined) return context;
  const known = [...config.contexts.keys()];
  throw new KubeconfigError(
    `there is no context ${quote(name)}; ${known.length === 0 ? 'there are none' : `there are: ${known.join(', ')}`}`,
  );
}

function serverOf(cluster: ClusterEntry, name: string): string {
  const text = cluster.server ?? '';
  // kubectl treats a host without a scheme as http.
  const whole = /^https?:\/\//.test(text) ? text : `http://${text}`;
  if (text === '' || !URL.canParse(whole))
    throw new KubeconfigError(`the cluster ${quote(name)} has no usable server: ${quote(text)}`);
  const url = new URL(whole);
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function pemOf(data: string | undefined, file: string | undefined): PemSource | undefined {
  if (data) return { pem: Buffer.from(data, 'base64').toString('utf8') };
  return file ? { file } : undefined;
}

function tlsOf(cluster: ClusterEntry, user: UserEntry): TlsAccess {
  const ca = pemOf(cluster['certificate-authority-data'], cluster['certificate-authority']);
  const insecure = cluster['insecure-skip-tls-verify'] === true;
  if (insecure && ca)
    throw new KubeconfigError('insecure-skip-tls-verify and a certificate authority are mutually exclusive');
  const certificate = pemOf(user['client-certificate-data'], user['client-certificate']);
  const key = pemOf(user['client-key-data'], user['client-key']);
  if ((certificate === undefined) !== (key === undefined))
    throw new KubeconfigError('a client certificate and its key must be given together');
  return {
    insecure,
    ...(ca && { ca }),
    ...(cluster['tls-server-name'] && { serverName: cluster['tls-server-name'] }),
    ...(certificate && key && { clientCertificate: { certificate, key } }),
  };
}

/** The first of these is used, as in client-go: token file, token, username and password, plugin. */
function credentialsOf(
  user: UserEntry,
  cluster: ClusterEntry,
  name: string,
): Pick<ClusterAccess, 'token' | 'tokenFile' | 'basic' | 'exec'> {
  if (user['auth-provider'] !== undefined)
    throw new KubeconfigError(
      `the user ${quote(name)} has an auth-provider, which Kubernetes no longer has either: use an exec credential plugin`,
    );
  if (user.tokenFile) return { tokenFile: user.tokenFile };
  if (user.token) return { token: user.token };
  if (user.username !== undefined && user.username !== '')
    return { basic: { username: user.username, password: user.password ?? '' } };
  return user.exec === undefined ? {} : { exec: execOf(user.exec, cluster, name) };
}

function execOf(exec: ExecEntry, cluster: ClusterEntry, name: string): ExecAccess {
  const { apiVersion, command } = exec;
  if (!command) throw new KubeconfigError(`the credential plugin of the user ${quote(name)} has no command`);
  if (
    apiVersion !== 'client.authentication.k8s.io/v1' &&
    apiVersion !== 'client.authentication.k8s.io/v1beta1'
  )
    throw new KubeconfigError(
      `the credential plugin of the user ${quote(name)} has the unknown apiVersion ${quote(apiVersion)}`,
    );
  return {
    apiVersion,
    command,
    args: exec.args ?? [],
    env: Object.fromEntries((exec.env ?? []).map((variable) => [variable.name, variable.value])),
    installHint: exec.installHint ?? '',
    interactiveMode: interactiveModeOf(exec, name),
    ...(exec.provideClusterInfo && { cluster: clusterInfo(cluster) }),
  };
}

function interactiveModeOf(
  { interactiveMode, apiVersion }: ExecEntry,
  name: string,
): ExecAccess['interactiveMode'] {
  if (interactiveMode === 'Never' || interactiveMode === 'IfAvailable' || interactiveMode === 'Always')
    return interactiveMode;
  if (interactiveMode === undefined && apiVersion?.endsWith('/v1beta1')) return 'IfAvailable';
  throw new KubeconfigError(
    `the credential plugin of the user ${quote(name)} must have an interactiveMode of Never, IfAvailable or Always`,
  );
}

function clusterInfo(cluster: ClusterEntry): JsonValue {
  const config = cluster.extensions?.find(
    (extension) => extension.name === 'client.authentication.k8s.io/exec',
  )?.extension;
  return {
    server: cluster.server ?? '',
    ...(cluster['tls-server-name'] && { 'tls-server-name': cluster['tls-server-name'] }),
    ...(cluster['insecure-skip-tls-verify'] && { 'insecure-skip-tls-verify': true }),
    ...(cluster['certificate-authority-data'] && {
      'certificate-authority-data': cluster['certificate-authority-data'],
    }),
    ...(cluster['proxy-url'] && { 'proxy-url': cluster['proxy-url'] }),
    ...(config !== undefined && { config }),
  };
}

function impersonationOf(user: UserEntry): Pick<ClusterAccess, 'impersonate'> {
  if (!user.as) {
    if (user['as-uid'] || user['as-groups']?.length || user['as-user-extra'])
      throw new KubeconfigError('as-uid, as-groups and as-user-extra need as');
    return {};
  }
  return {
    impersonate: {
      user: user.as,
      ...(user['as-uid'] && { uid: user['as-uid'] }),
      groups: user['as-groups'] ?? [],
      extra: user['as-user-extra'] ?? {},
    },
  };
}
