// Real etcd for tests and benchmarks: one member or several, on free ports, with data in a temporary folder.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { freePorts } from '../free-ports.ts';

/** For describeUnless. */
export function missingEtcd(): string | undefined {
  return spawnSync('etcd', ['--version']).error === undefined
    ? undefined
    : 'etcd is not installed (Debian: apt-get install etcd-server)';
}

export interface EtcdClusterOptions {
  readonly members?: number;
  readonly flags?: readonly string[];
  /** Faster elections, for tests that kill leaders. */
  readonly heartbeatMs?: number;
  /** Clients need a certificate of this CA. */
  readonly tls?: { readonly caFile: string; readonly certFile: string; readonly keyFile: string };
}

/** One etcd process, which can be signaled, killed and started again. */
export class EtcdMember {
  readonly name: string;
  readonly clientPort: number;
  readonly peerPort: number;
  readonly #flags: readonly string[];
  #child: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  output = '';

  constructor(name: string, clientPort: number, peerPort: number, flags: readonly string[]) {
    this.name = name;
    this.clientPort = clientPort;
    this.peerPort = peerPort;
    this.#flags = flags;
  }

  get endpoint(): string {
    return `127.0.0.1:${this.clientPort}`;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): void {
    // Debian's etcd refuses some architectures without this.
    const env = { ...process.env, ETCD_UNSUPPORTED_ARCH: process.arch };
    this.#child = spawn('etcd', this.#flags, { stdio: ['ignore', 'ignore', 'pipe'], env });
    this.#child.stderr!.on('data', (chunk: Buffer) => (this.output = (this.output + chunk).slice(-20_000)));
    this.#ended = new Promise((resolve) => {
      this.#child!.once('close', resolve);
      this.#child!.once('error', resolve);
    });
  }

  /** SIGSTOP makes it unresponsive; SIGCONT resumes it. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#ended;
  }

  /** Resolves when its port accepts connections. */
  async listening(): Promise<void> {
    const hasEnded = () => this.#child?.exitCode != null;
    await eventually(
      `etcd ${this.name} to listen`,
      async () => (await canConnect(this.clientPort)) || hasEnded(),
      { timeoutMs: 15_000, intervalMs: 20, state: () => this.output.slice(-2_000) },
    );
    if (hasEnded()) throw new Error(`etcd ${this.name} ended: ${this.output.slice(-2_000)}`);
  }
}

/** Real etcd members on this machine. */
export class EtcdCluster {
  readonly members: EtcdMember[];
  readonly #directory: string;

  private constructor(members: EtcdMember[], directory: string) {
    this.members = members;
    this.#directory = directory;
  }

  static async start(options: EtcdClusterOptions = {}): Promise<EtcdCluster> {
    const { members: count = 1 } = options;
    const directory = mkdtempSync(join(tmpdir(), 'instar-etcd-'));
    const ports = await freePorts(count * 2);
    const addresses = Array.from({ length: count }, (_, at) => ({
      name: `m${at}`,
      client: ports[at]!,
      peer: ports[count + at]!,
    }));
    const peers = addresses.map(({ name, peer }) => `${name}=http://127.0.0.1:${peer}`).join(',');
    const members = addresses.map(({ name, client, peer }) => {
      const flags = flagsOf({ name, client, peer, peers, directory }, options);
      return new EtcdMember(name, client, peer, flags);
    });
    const started = new EtcdCluster(members, directory);
    for (const member of members) member.start();
    await Promise.all(members.map((member) => member.listening()));
    return started;
  }

  get endpoints(): string {
    return this.members.map((member) => member.endpoint).join(',');
  }

  get url(): string {
    return `etcd://${this.endpoints}`;
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map((member) => member.kill()));
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

interface MemberAddress {
  readonly name: string;
  readonly client: number;
  readonly peer: number;
  /** All members in etcd's format: name=URL,name=URL. */
  readonly peers: string;
  readonly directory: string;
}

function flagsOf(
  member: MemberAddress,
  { flags = [], heartbeatMs = 100, tls }: EtcdClusterOptions,
): string[] {
  const client = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${member.client}`;
  const peer = `http://127.0.0.1:${member.peer}`;
  return [
    `--name=${member.name}`,
    `--data-dir=${join(member.directory, member.name)}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=${member.peers}`,
    `--initial-cluster-token=${member.directory}`,
    `--heartbeat-interval=${heartbeatMs}`,
    `--election-timeout=${heartbeatMs * 10}`,
    '--logger=zap',
    '--log-level=error',
    ...(tls === undefined ? [] : tlsFlags(tls)),
    ...flags,
  ];
}

const tlsFlags = ({ caFile, certFile, keyFile }: NonNullable<EtcdClusterOptions['tls']>): string[] => [
  `--cert-file=${certFile}`,
  `--key-file=${keyFile}`,
  `--trusted-ca-file=${caFile}`,
  '--client-cert-auth',
];

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
