// The defaults of a server's options. It imports nothing, so that `instar serve --help` can show them without
// loading a server.

/** The address that the server listens on. */
export const DEFAULT_BIND_ADDRESS = '127.0.0.1';
/** As kube-apiserver's --etcd-prefix and --event-ttl. */
export const DEFAULT_ETCD_PREFIX = '/registry';

/** How long an Event is stored, as kube-apiserver's --event-ttl. */
export const DEFAULT_EVENT_TTL_SECONDS = 3600;

/** How much the server does concurrently, and how large requests may be. */
export const DEFAULT_LIMITS = {
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

/** What every key starts with: --etcd-prefix between slashes, however it is spelled, as upstream. */
export function keysBelow(etcdPrefix: string): string {
  const path = etcdPrefix.replace(/^\/+|\/+$/g, '');
  return path === '' ? '/' : `/${path}/`;
}
