// Where the members of an etcd are, how to connect, and the prefix of the store's keys:
// `etcd://host:port,host:port/namespace`.
import { readFileSync } from 'node:fs';
import { StoreError } from '../../store.ts';
import type { TlsFiles } from './grpc/connection.ts';

/** How to connect to etcd. */
export interface EtcdOptions {
  /** PEM files. Any of them means TLS; without a CA those that the system trusts. */
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  /** True for TLS without files of its own. */
  readonly tls?: boolean;
  readonly username?: string;
  readonly password?: string;
  /**
   * Every key of this store starts with it, below the namespace: nothing else is watched. Default:
   * everything.
   */
  readonly scope?: string;
  /** How long etcd may take for a request before it counts as unavailable. Default 10 seconds. */
  readonly requestTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** How often a connection is checked, not below 5 seconds. Default 6 seconds. */
  readonly keepaliveMs?: number;
  readonly keepaliveTimeoutMs?: number;
}

export interface EtcdAddress {
  readonly endpoints: readonly string[];
  /** The prefix of every key. */
  readonly namespace: string;
}

/** The part after `etcd:`. */
export function parseAddress(url: string, rest: string): EtcdAddress {
  const match = /^\/\/([^/]+)(\/.*)?$/.exec(rest);
  const endpoints = (match?.[1] ?? '').split(',').filter((part) => part !== '');
  const wrong = endpoints.find(
    (endpoint) => !/^(?:\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+):\d{1,5}$/.test(endpoint),
  );
  if (match === null || endpoints.length === 0 || wrong !== undefined) {
    throw new StoreError(
      'invalid',
      `storage ${JSON.stringify(url)}: etcd: needs members, as in etcd://host:2379,host:2379`,
    );
  }
  return { endpoints, namespace: (match[2] ?? '').replace(/\/+$/, '') };
}

export function readTls({ caFile, certFile, keyFile, tls }: EtcdOptions): TlsFiles | undefined {
  if (caFile === undefined && certFile === undefined && keyFile === undefined)
    return tls === true ? {} : undefined;
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new StoreError('invalid', 'the client certificate for etcd and its key must be given together');
  }
  return {
    ...(caFile !== undefined && { ca: read(caFile) }),
    ...(certFile !== undefined && { cert: read(certFile) }),
    ...(keyFile !== undefined && { key: read(keyFile) }),
  };
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new StoreError('invalid', `cannot read ${file}: ${(error as Error).message}`, { cause: error });
  }
}
