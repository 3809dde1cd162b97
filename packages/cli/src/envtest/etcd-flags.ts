// The flags of etcd that the stand-in accepts: where to listen, and those that say how etcd stores data or
// finds other members, of which there is nothing here. Anything else (TLS, authentication) is refused.

export const ETCD_FLAGS: ReadonlySet<string> = new Set([
  'advertise-client-urls',
  'auto-compaction-mode',
  'auto-compaction-retention',
  'data-dir',
  'heartbeat-interval',
  'election-timeout',
  'initial-advertise-peer-urls',
  'initial-cluster',
  'initial-cluster-state',
  'initial-cluster-token',
  'listen-client-urls',
  'listen-metrics-urls',
  'listen-peer-urls',
  'log-level',
  'log-outputs',
  'logger',
  'max-request-bytes',
  'max-snapshots',
  'max-txn-ops',
  'max-wals',
  'name',
  'quota-backend-bytes',
  'snapshot-count',
  'unsafe-no-fsync',
  'wal-dir',
]);

export interface EtcdAddress {
  readonly host: string;
  readonly port: number;
}

const SWITCHES: ReadonlySet<string> = new Set(['unsafe-no-fsync']);
const DEFAULT_URLS = 'http://localhost:2379';

/** Where to listen, or a sentence about what is wrong with the flags. */
export function parseEtcdFlags(args: readonly string[]): EtcdAddress[] | string {
  let urls = DEFAULT_URLS;
  for (let index = 0; index < args.length; index++) {
    const match = /^--?([a-z][a-z0-9-]*)(?:=(.*))?$/s.exec(args[index]!);
    if (match === null) return `${JSON.stringify(args[index])} is not a flag`;
    const [, name = '', inline] = match;
    if (!ETCD_FLAGS.has(name))
      return `--${name}: this etcd only stands in for one, and stores nothing. To use a real one: instar envtest path --etcd FILE`;
    if (inline === undefined && SWITCHES.has(name)) continue;
    const value = inline ?? args[++index];
    if (value === undefined) return `flag needs an argument: --${name}`;
    if (name === 'listen-client-urls') urls = value;
  }
  return addressesOf(urls);
}

function addressesOf(urls: string): EtcdAddress[] | string {
  const addresses: EtcdAddress[] = [];
  for (const text of urls.split(',')) {
    if (!URL.canParse(text)) return `--listen-client-urls: ${JSON.stringify(text)} is not a URL`;
    const { protocol, hostname, port } = new URL(text);
    if (protocol !== 'http:') return `--listen-client-urls: ${text}: only http is supported`;
    addresses.push({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) });
  }
  return addresses;
}
