// `instar serve` of the built command as a process of its own, with its own data directory. Requests are sent
// with kubectl.ts or ApiClient.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiAccess } from '../api/api-client.ts';
import { freePort } from '../free-ports.ts';
import { Run } from './run.ts';

export interface ServerSettings {
  readonly storage?: 'memory' | 'lmdb' | `etcd:${string}`;
  readonly flags?: readonly string[];
}

/** A server that can be stopped and started again, with the same data and port. */
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

  /** The log of all its runs. */
  get log(): string {
    return this.#earlierLog + this.#run.stderr;
  }

  /** For clients that do not read kubeconfigs. */
  async access(): Promise<ApiAccess> {
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

  /** Starts it again; it must have been stopped. */
  async startAgain(): Promise<void> {
    this.#earlierLog = `${this.log}--- started again ---\n`;
    this.#run = this.#spawn();
    await this.#untilReady();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.startAgain();
  }

  /** Stops it and removes its data. */
  async remove(): Promise<void> {
    await this.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  async #untilReady(): Promise<void> {
    this.#url = (await this.#run.ready()).url;
  }

  #spawn(): Run {
    const { storage: engine = 'memory' } = this.#settings;
    const storage =
      engine === 'lmdb' ? `lmdb:${join(this.dataDir, 'store')}` : engine === 'memory' ? 'memory:' : engine;
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
