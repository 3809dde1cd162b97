// Everything that a server can be told, with its defaults. The command's flags and embedders' options both
// end here.

import { type Log, SILENT } from '@instar/serving';
import type { Store } from '@instar/store';
import {
  DEFAULT_BIND_ADDRESS,
  DEFAULT_ETCD_PREFIX,
  DEFAULT_EVENT_TTL_SECONDS,
  DEFAULT_LIMITS,
} from '../wire/defaults/index.ts';
import type { FeatureGates } from './feature-gates.ts';

export interface Limits {
  /** Reads under way at once; 0 is no limit. */
  readonly maxRequestsInflight: number;
  /** Writes under way at once; 0 is no limit. */
  readonly maxMutatingRequestsInflight: number;
  /** Watches open at once; 0 is no limit. */
  readonly maxWatches: number;
  readonly maxBodyBytes: number;
  /** The longest that a request other than a watch may take. */
  readonly requestTimeoutMs: number;
  /** A watch that does not ask for a time lasts between this and twice this. */
  readonly minRequestTimeoutMs: number;
  /** What may wait for a slow watcher before it is closed. */
  readonly maxPendingWatchBytes: number;
  /** What objects may take in memory in versions other than that in which they are stored. */
  readonly maxConvertedBytes: number;
  /** How long requests under way may go on when the server closes. */
  readonly shutdownGraceMs: number;
}

export interface ServerOptions {
  /** Open, and the server's from now on: it closes the store when it closes. */
  readonly storage: Store;
  /** Where certificates and the admin's token are kept. Without it they are made anew and live in memory. */
  readonly dataDir?: string;
  readonly bindAddress?: string;
  /** 0 picks a free one. */
  readonly port?: number;
  /** Instead of the server's own certificate; read again when the files change. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
  readonly clientCaFile?: string;
  readonly tokenAuthFile?: string;
  readonly authorizationMode?: 'AlwaysAllow';
  readonly limits?: Partial<Limits>;
  /** Those of kube-apiserver are accepted without an effect; the server does not start with others. */
  readonly featureGates?: FeatureGates;
  /** What every key in the store starts with. */
  readonly etcdPrefix?: string;
  readonly eventTtlSeconds?: number;
  /**
   * Where services are that webhooks name, as "namespace/name" or "namespace/name:port" to "host:port";
   * others by their endpoints.
   */
  readonly serviceResolver?: Readonly<Record<string, string>>;
  readonly log?: Log;
}

export type ResolvedOptions = Required<
  Omit<ServerOptions, 'dataDir' | 'tls' | 'clientCaFile' | 'tokenAuthFile' | 'limits'>
> &
  Pick<ServerOptions, 'dataDir' | 'tls' | 'clientCaFile' | 'tokenAuthFile'> & { readonly limits: Limits };

export function resolveOptions(options: ServerOptions): ResolvedOptions {
  return {
    bindAddress: DEFAULT_BIND_ADDRESS,
    port: 0,
    authorizationMode: 'AlwaysAllow',
    featureGates: {},
    etcdPrefix: DEFAULT_ETCD_PREFIX,
    eventTtlSeconds: DEFAULT_EVENT_TTL_SECONDS,
    serviceResolver: {},
    log: SILENT,
    ...options,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
  };
}
