// From flags to the options of the server. Mutually exclusive flags are detected here.
import { join, resolve } from 'node:path';
import type { EtcdOptions } from '@instar/store';
import type { EmbeddedServerOptions } from '../start-server.ts';
import { type AuditSettings, auditSettingsOf } from './audit/settings.ts';
import { type AuthorizerSettings, authorizersOf } from './authorization/modes.ts';
import { certDirFiles, type ServingFiles } from './cert-dir.ts';
import { type EncryptionSettings, encryptionSettingsOf } from './encryption/open-encryption.ts';
import { FlagError } from './flag-error.ts';
import type { EtcdFlags, ServeFlags } from './flags.ts';
import { serviceAccountSettings } from './service-accounts.ts';

export interface Settings {
  readonly dataDir: string;
  readonly kubeconfigFile: string;
  readonly server: EmbeddedServerOptions;
  /** Undefined: they are in the file of --authorization-config. */
  readonly authorizers: readonly AuthorizerSettings[] | undefined;
  readonly authorizationConfig: string | undefined;
  readonly audit: AuditSettings;
  /** The file of --admission-control-config-file. */
  readonly admissionConfig: string | undefined;
  readonly encryption: EncryptionSettings | undefined;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

export const DEFAULT_PORT = 6443;
/** kube-apiserver logs requests from this verbosity on. */
const VERBOSE_FROM = 3;

export function settingsOf(flags: ServeFlags): Settings {
  const dataDir = resolve(flags.dataDir);
  const historySeconds = (flags.etcdCompactionInterval ?? flags.history) / 1000;
  return {
    dataDir,
    kubeconfigFile: resolve(flags.kubeconfig ?? join(dataDir, 'kubeconfig')),
    authorizers: authorizersOf(flags),
    authorizationConfig: flags.authorizationConfig,
    audit: auditSettingsOf(flags),
    admissionConfig: flags.admissionControlConfigFile,
    encryption: encryptionSettingsOf(flags),
    logLevel: flags.logLevel ?? ((flags.v ?? 0) >= VERBOSE_FROM ? 'debug' : 'info'),
    server: {
      dataDir,
      storage: storageUrl(flags, dataDir),
      historySeconds,
      etcd: etcdSettings(flags),
      bindAddress: flags.bindAddress,
      port: portOf(flags),
      ...tlsFiles(flags),
      ...(flags.clientCaFile !== undefined && { clientCaFile: flags.clientCaFile }),
      ...(flags.tlsMinVersion !== undefined && { tlsMinVersion: flags.tlsMinVersion }),
      ...(flags.tlsCipherSuites !== undefined && { tlsCiphers: flags.tlsCipherSuites }),
      sniCertificates: flags.tlsSniCertKey ?? [],
      bootstrapTokenAuth: flags.enableBootstrapTokenAuth ?? false,
      ...signingFiles(flags),
      clusterSigningMs: flags.clusterSigningDuration,
      ...(flags.tokenAuthFile !== undefined && { tokenAuthFile: flags.tokenAuthFile }),
      ...(flags.anonymousAuth !== undefined && { anonymousAuth: flags.anonymousAuth }),
      ...serviceAccountSettings(flags),
      serviceResolver: flags.serviceResolver,
      ...(flags.serviceClusterIpRange !== undefined && {
        serviceClusterIpRanges: flags.serviceClusterIpRange,
      }),
      strict: flags.strict ?? false,
      ...(flags.controllers !== undefined && { controllers: flags.controllers }),
      ...(flags.advertiseAddress !== undefined && { advertiseAddress: flags.advertiseAddress }),
      featureGates: flags.featureGates,
      enableAdmissionPlugins: flags.enableAdmissionPlugins ?? [],
      disableAdmissionPlugins: flags.disableAdmissionPlugins ?? [],
      runtimeConfig: flags.runtimeConfig ?? {},
      etcdPrefix: flags.etcdPrefix,
      eventTtlSeconds: Math.round(flags.eventTtl / 1000),
      priorityAndFairness: flags.enablePriorityAndFairness,
      limits: {
        maxRequestsInflight: flags.maxRequestsInflight,
        maxMutatingRequestsInflight: flags.maxMutatingRequestsInflight,
        maxWatches: flags.maxWatches,
        requestTimeoutMs: flags.requestTimeout,
        minRequestTimeoutMs: flags.minRequestTimeout * 1000,
      },
    },
  };
}

/** Any of the files means TLS; so does https in an address. */
export function etcdSettings(flags: EtcdFlags): EtcdOptions {
  const {
    etcdCafile: caFile,
    etcdCertfile: certFile,
    etcdKeyfile: keyFile,
    etcdUsername: username,
    etcdServers,
  } = flags;
  const password = process.env['INSTAR_ETCD_PASSWORD'];
  if (username !== undefined && password === undefined) {
    throw new FlagError('--etcd-username needs a password in the environment variable INSTAR_ETCD_PASSWORD');
  }
  return {
    ...(caFile !== undefined && { caFile }),
    ...(certFile !== undefined && { certFile }),
    ...(keyFile !== undefined && { keyFile }),
    ...(username !== undefined && password !== undefined && { username, password }),
    tls: etcdServers?.some((url) => url.startsWith('https://')) ?? false,
  };
}

function storageUrl({ storage, etcdServers }: ServeFlags, dataDir: string): string {
  if (storage !== undefined && etcdServers !== undefined)
    throw new FlagError('--storage and --etcd-servers both name a storage: give one of them');
  if (etcdServers !== undefined)
    return `etcd://${etcdServers.map((url) => url.replace(/^https?:\/\//, '').replace(/\/+$/, '')).join(',')}`;
  return storage ?? `lmdb:${join(dataDir, 'store')}`;
}

function portOf({ port, securePort }: ServeFlags): number {
  if (port !== undefined && securePort !== undefined && port !== securePort) {
    throw new FlagError(`--port ${port} and --secure-port ${securePort} mean the same: give one of them`);
  }
  return port ?? securePort ?? DEFAULT_PORT;
}

function tlsFiles(flags: ServeFlags): { tls?: ServingFiles } {
  const { tlsCertFile, tlsPrivateKeyFile } = flags;
  const inDirectory = certDirFiles(flags);
  if (inDirectory !== undefined) return { tls: inDirectory };
  if (tlsCertFile === undefined && tlsPrivateKeyFile === undefined) return {};
  if (tlsCertFile === undefined || tlsPrivateKeyFile === undefined) {
    throw new FlagError('--tls-cert-file and --tls-private-key-file must be given together');
  }
  return { tls: { certFile: tlsCertFile, keyFile: tlsPrivateKeyFile } };
}

function signingFiles(flags: ServeFlags): { clusterSigning?: ServingFiles } {
  const { clusterSigningCertFile: certFile, clusterSigningKeyFile: keyFile } = flags;
  if (certFile === undefined && keyFile === undefined) return {};
  if (certFile === undefined || keyFile === undefined)
    throw new FlagError('--cluster-signing-cert-file and --cluster-signing-key-file must be given together');
  return { clusterSigning: { certFile, keyFile } };
}
