// Long YAML is parsed in another thread: the parser cannot be interrupted, and takes up to a second for the
// longest body. What comes back is JSON, which can be parsed in steps. The thread is started when it is first
// needed and ends when it has been idle. See docs/decisions/0024-yaml-in-a-thread.md.
import { Worker } from 'node:worker_threads';
import { YamlError } from '@instar/machinery';
import { type YamlAsJson, yamlAsJson } from './yaml-as-json.ts';

export interface YamlTask {
  readonly id: number;
  readonly text: Uint8Array;
}

export type YamlAnswer =
  | ({ readonly id: number } & YamlAsJson)
  | { readonly id: number; readonly message: string; readonly isFault: boolean };

interface Waiting {
  readonly text: Uint8Array;
  resolve(result: YamlAsJson): void;
  reject(error: Error): void;
}

const IDLE_MS = 10_000;

/** How many texts wait is limited by how many requests may be in flight. */
export class YamlThread {
  readonly #entry: URL;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  /** `entry` is the program of the thread. */
  constructor(entry: URL) {
    this.#entry = entry;
  }

  /** Rejects with a YamlError if it is not YAML. */
  toJson(text: Uint8Array): Promise<YamlAsJson> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { text, resolve, reject });
      // A copy, since the text may be a part of a larger buffer, which would be copied as a whole.
      const copy = new Uint8Array(text);
      this.#start().postMessage({ id, text: copy } satisfies YamlTask, [copy.buffer]);
    });
  }

  async end(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#worker?.terminate();
  }

  #start(): Worker {
    clearTimeout(this.#idle);
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(this.#entry);
    this.#worker = worker;
    worker.on('message', (answer: YamlAnswer) => this.#settle(answer));
    // The thread has ended then, or could not be started.
    worker.on('error', () => this.#takeOver(worker));
    worker.on('exit', () => this.#takeOver(worker));
    // Neither an idle thread nor one at work keeps the process alive.
    worker.unref();
    return worker;
  }

  #settle(answer: YamlAnswer): void {
    const task = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('json' in answer) task?.resolve(answer);
    else task?.reject(answer.isFault ? new YamlError(answer.message) : new Error(answer.message));
    if (this.#waiting.size > 0) return;
    this.#idle = setTimeout(() => void this.end(), IDLE_MS);
    this.#idle.unref();
  }

  /** What a thread that has ended has not answered is parsed here. */
  #takeOver(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const [id, { text, resolve, reject }] of this.#waiting) {
      this.#waiting.delete(id);
      try {
        resolve(yamlAsJson(text));
      } catch (error) {
        reject(error as Error);
      }
    }
  }
}

/** One for the process: a second one would compete for the same processors. */
export const yamlThread = new YamlThread(new URL('./yaml-worker.js', import.meta.url));
