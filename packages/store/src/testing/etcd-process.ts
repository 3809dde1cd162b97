// Real etcd for tests and benchmarks: one member or several, on ports that were free, with data in a folder
// that goes with it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './free-ports.ts';

/** Why tests with etcd are skipped, if they are. Where CI runs, a missing etcd is a failure instead. */
export function whyNoEtcd(): string | undefined {
  if (process.env['CI'] === 'true') return undefined;
  return spawnSync('etcd', ['--version']).error === undefined
    ? undefined
    : 'etcd is not installed (Debian: apt-get install etcd-server)';
}

export interface EtcdClusterOptions {
  readonly members?: number;
  readonly flags?: readonly string[];
  /** Faster elections, for tests that kill leaders. */
  readonly heartbeatMs?: number;
  /** Clients must come with a certificate of this CA. */
  readonly tls?: { readonly caFile: string; readonly certFile: string; readonly keyFile: string };
}

export class EtcdMember {
  readonly name: string;
  readonly clientPort: number;
  readonly peerPort: number;
  readonly #flags: () => readonly string[];
  #child: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  output = '';

  constructor(name: string, clientPort: number, peerPort: number, flags: () => readonly string[]) {
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
    // Debian's etcd refuses some machines unless told that it is meant.
    const env = { ...process.env, ETCD_UNSUPPORTED_ARCH: process.arch };
    this.#child = spawn('etcd', this.#flags(), { stdio: ['ignore', 'ignore', 'pipe'], env });
    this.#child.stderr!.on('data', (chunk: Buffer) => (this.output = (this.output + chunk).slice(-20_000)));
    this.#ended = new Promise((resolve) => {
      this.#child!.once('close', resolve);
      this.#child!.once('error', resolve);
    });
  }

  /** SIGSTOP leaves it there without an answer; SIGCONT lets it go on. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#ended;
  }

  /** Resolves when its port answers. */
  async listening(): Promise<void> {
    for (let tries = 0; tries < 600; tries++) {
      if (await canConnect(this.clientPort)) return;
      if (this.#child?.exitCode != null) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`etcd ${this.name} did not start: ${this.output.slice(-2_000)}`);
  }
}

export class EtcdCluster {
  readonly members: EtcdMember[];
  readonly #directory: string;

  private constructor(members: EtcdMember[], directory: string) {
    this.members = members;
    this.#directory = directory;
  }

  static async start({
    members: count = 1,
    flags = [],
    heartbeatMs = 100,
    tls,
  }: EtcdClusterOptions = {}): Promise<EtcdCluster> {
    const directory = mkdtempSync(join(tmpdir(), 'instar-etcd-'));
    const ports = await freePorts(count * 2);
    const peers = Array.from(
      { length: count },
      (_, at) => `m${at}=http://127.0.0.1:${ports[count + at]}`,
    ).join(',');
    const certificates = tls && [
      '--cert-file',
      tls.certFile,
      '--key-file',
      tls.keyFile,
      '--trusted-ca-file',
      tls.caFile,
      '--client-cert-auth',
    ];
    const members = Array.from({ length: count }, (_, at) => {
      const [client, peer] = [
        `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${ports[at]}`,
        `http://127.0.0.1:${ports[count + at]}`,
      ];
      const own = ['--name', `m${at}`, '--data-dir', join(directory, `m${at}`)];
      const urls = [
        '--listen-client-urls',
        client,
        '--advertise-client-urls',
        client,
        '--listen-peer-urls',
        peer,
      ];
      const cluster = [
        '--initial-advertise-peer-urls',
        peer,
        '--initial-cluster',
        peers,
        '--initial-cluster-token',
        directory,
      ];
      const times = [
        '--heartbeat-interval',
        String(heartbeatMs),
        '--election-timeout',
        String(heartbeatMs * 10),
      ];
      const all = [
        ...own,
        ...urls,
        ...cluster,
        ...times,
        '--logger',
        'zap',
        '--log-level',
        'error',
        ...(certificates ?? []),
        ...flags,
      ];
      return new EtcdMember(`m${at}`, ports[at]!, ports[count + at]!, () => all);
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
