// Starts store-writer.mjs and reads its output, line by line.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./store-writer.mjs', import.meta.url));

export class StoreChild {
  readonly lines: string[] = [];
  readonly #process: ChildProcess;
  readonly #closed: Promise<unknown>;
  #rest = '';
  #wake: () => void = () => undefined;

  constructor(directory: string, task: 'hold' | 'write', round = 0) {
    this.#process = spawn(process.execPath, [SCRIPT, directory, task, String(round)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#closed = once(this.#process, 'close').then(() => this.#wake());
    this.#process.stdout!.on('data', (bytes: Buffer) => this.#read(bytes.toString()));
  }

  /** The first line: the result of opening the store. Undefined if it was killed before. */
  async opened(): Promise<string | undefined> {
    while (this.lines.length === 0 && this.#process.exitCode === null && this.#process.signalCode === null) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.lines[0];
  }

  /** Kills it without a chance to clean up. Returns when all of its output has been read. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#closed;
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop()!;
    this.lines.push(...lines);
    this.#wake();
  }
}
