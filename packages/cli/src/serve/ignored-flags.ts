// Flags of kube-apiserver that scripts and test harnesses pass and that have no meaning here. They are
// accepted and logged, and have no effect.

/** Name, and whether kube-apiserver needs a value (switches may have one). */
export const IGNORED_FLAGS: ReadonlyMap<string, boolean> = new Map<string, boolean>([
  ['allow-privileged', false],
  ['apiserver-count', true],
  ['cloud-provider', true],
  ['default-watch-cache-size', true],
  ['delete-collection-workers', true],
  ['enable-aggregator-routing', false],
  ['enable-garbage-collector', false],
  ['endpoint-reconciler-type', true],
  ['goaway-chance', true],
  ['http2-max-streams-per-connection', true],
  ['kubelet-certificate-authority', true],
  ['kubelet-client-certificate', true],
  ['kubelet-client-key', true],
  ['kubelet-preferred-address-types', true],
  ['logtostderr', false],
  ['profiling', false],
  ['proxy-client-cert-file', true],
  ['proxy-client-key-file', true],
  ['service-node-port-range', true],
  ['storage-backend', true],
  ['storage-media-type', true],
  ['target-ram-mb', true],
  ['watch-cache', false],
  ['watch-cache-sizes', true],
]);

/** Those among the given flags, as they were spelled. */
export function ignoredAmong(flags: Readonly<Record<string, unknown>>): string[] {
  const given = (name: string): boolean =>
    flags[name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())] !== undefined;
  return [...IGNORED_FLAGS.keys()].filter(given).map((name) => `--${name}`);
}
