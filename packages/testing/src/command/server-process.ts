// `instar serve` of the built command as a process of its own, on a data directory of its own. Says nothing
// about what is asked of it; see kubectl.ts and ApiClient for that.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Access } from '../api/api-client.ts';
import { freePort } from '../free-ports.ts';
import { Run } from './run.ts';

export interface ServerSettings {
  readonly storage?: 'memory' | 'lmdb' | `etcd:${string}`;
  readonly flags?: readonly string[];
}

/** A server that can be ended and started again, on the same data and the same port. */
export class ServerProcess {
  readonly dataDir: string;
  readonly port: number;
  readonly #settings: ServerSettings;
  #run: Run;
  #earlierLog = '';
  #url = '';

  private constructor(dataDir: string, port: number, settings: ServerSettings) {
    this.dataDir = dataDir;
    this.port = port;
    this.#settings = settings;
    this.#run = this.#spawn();
  }

  static async start(settings: ServerSettings = {}): Promise<ServerProcess> {
    const server = new ServerProcess(
      await mkdtemp(join(tmpdir(), 'instar-e2e-')),
      await freePort(),
      settings,
    );
    try {
      await server.#untilReady();
      return server;
    } catch (error) {
      await server.remove();
      throw error;
    }
  }

  get url(): string {
    return this.#url;
  }

  get pid(): number {
    return this.#run.child.pid!;
  }

  get kubeconfig(): string {
    return join(this.dataDir, 'kubeconfig');
  }

  /** What it logged, in all its runs. */
  get log(): string {
    return this.#earlierLog + this.#run.stderr;
  }

  /** What a client needs that does not read kubeconfigs. */
  async access(): Promise<Access> {
    const text = await readFile(this.kubeconfig, 'utf8');
    const field = (name: string): string => new RegExp(`${name}: (\\S+)`).exec(text)![1]!;
    return {
      url: this.#url,
      ca: Buffer.from(field('certificate-authority-data'), 'base64').toString(),
      token: field('token'),
    };
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | NodeJS.Signals> {
    return this.#run.end(signal);
  }

  kill(): Promise<number | NodeJS.Signals> {
    return this.#run.end('SIGKILL');
  }

  /** Starts it again; it must have ended. */
  async startAgain(): Promise<void> {
    this.#earlierLog = `${this.log}--- started again ---\n`;
    this.#run = this.#spawn();
    await this.#untilReady();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.startAgain();
  }

  /** Ends it and removes what it wrote. */
  async remove(): Promise<void> {
    await this.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  async #untilReady(): Promise<void> {
    this.#url = (await this.#run.ready()).url;
  }

  #spawn(): Run {
    const { storage: kind = 'memory' } = this.#settings;
    const storage =
      kind === 'lmdb' ? `lmdb:${join(this.dataDir, 'store')}` : kind === 'memory' ? 'memory:' : kind;
    const flags = [
      '--data-dir',
      this.dataDir,
      '--storage',
      storage,
      '--port',
      String(this.port),
      ...(this.#settings.flags ?? []),
    ];
    return new Run('serve', ...flags);
  }
}
