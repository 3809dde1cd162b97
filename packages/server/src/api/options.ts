// Everything that a server can be told, with its defaults. The command's flags and embedders' options both
// end here.

import { type Log, SILENT } from '@instar/serving';
import type { Store } from '@instar/store';
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

export const DEFAULT_LIMITS: Limits = {
  maxRequestsInflight: 400,
  maxMutatingRequestsInflight: 200,
  maxWatches: 50_000,
  maxBodyBytes: 3 * 1024 * 1024,
  requestTimeoutMs: 60_000,
  minRequestTimeoutMs: 1_800_000,
  maxPendingWatchBytes: 4 * 1024 * 1024,
  maxConvertedBytes: 512 * 1024 * 1024,
  shutdownGraceMs: 5_000,
};

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
    bindAddress: '127.0.0.1',
    port: 0,
    authorizationMode: 'AlwaysAllow',
    featureGates: {},
    etcdPrefix: '/registry',
    eventTtlSeconds: 3600,
    serviceResolver: {},
    log: SILENT,
    ...options,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
  };
}
