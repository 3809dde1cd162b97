// The built command as a process of its own, on a data directory of its own. Says nothing about what is asked
// of it; see kubectl.ts for that.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@instar/store/testing';

export const MAIN = fileURLToPath(new URL('../../packages/cli/bin/instar.js', import.meta.url));

export interface ServerSettings {
  readonly storage?: 'memory' | 'lmdb' | `etcd:${string}`;
  readonly flags?: readonly string[];
}

/** One run of `instar` with what it said and how it ended. */
export class Run {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly ended: Promise<number | NodeJS.Signals>;

  constructor(...args: readonly string[]) {
    if (!existsSync(MAIN)) throw new Error(`${MAIN} is not there: run npm run build first`);
    this.child = spawn(process.execPath, [MAIN, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // `npm test` sets this, and the command would take itself for `npm start`.
      env: { ...process.env, npm_lifecycle_event: '' },
    });
    this.child.stdout!.on('data', (chunk: Buffer) => (this.stdout += chunk));
    this.child.stderr!.on('data', (chunk: Buffer) => (this.stderr += chunk));
    this.ended = new Promise((resolve) =>
      this.child.once('close', (code, signal) => resolve(code ?? signal!)),
    );
  }

  /** The address and the kubeconfig of the line that says `ready`. */
  async ready(): Promise<{ url: string; kubeconfig: string }> {
    const line = await new Promise<string>((resolve, reject) => {
      const look = (): void => void (this.stdout.includes('\n') && resolve(this.stdout));
      this.child.stdout!.on('data', look);
      void this.ended.then((how) => reject(new Error(`it ended with ${how}: ${this.stderr}`)));
      look();
    });
    const match = /^ready (https:\/\/\S+) kubeconfig (.+)\n/.exec(line);
    if (match === null) throw new Error(`not the line expected: ${line}`);
    return { url: match[1]!, kubeconfig: match[2]! };
  }

  /** Asks it to end, and by force if it does not. Answers how it ended. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | NodeJS.Signals> {
    this.child.kill(signal);
    const force = setTimeout(() => this.child.kill('SIGKILL'), 15_000);
    const how = await this.ended;
    clearTimeout(force);
    return how;
  }
}

/** A server that can be ended and started again, on the same data and the same port. */
export class ServerProcess {
  readonly dataDir: string;
  readonly port: number;
  readonly #settings: ServerSettings;
  #run: Run;
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

  /** What it logged since it was last started. */
  get log(): string {
    return this.#run.stderr;
  }

  /** What a client needs that does not read kubeconfigs. */
  async access(): Promise<{ url: string; ca: string; token: string }> {
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
