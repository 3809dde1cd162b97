// Compacts history by age, once for all servers over one etcd. The protocol and its key are those of
// kube-apiserver: every server tries to write the key at each interval; the one that finds it unchanged
// compacts to the revision of an interval ago. So Instar and kube-apiserver can share an etcd, and no
// election is needed.
import type { Clock } from '../../clock.ts';
import { StoreError } from '../../store.ts';
import type { EtcdClient } from './etcd-client.ts';

const KEY = Buffer.from('compact_rev_key');

export interface CompactorOptions {
  readonly client: EtcdClient;
  readonly clock: Clock;
  readonly intervalMs: number;
  readonly onCompacted: (revision: number) => void;
}

export class Compactor {
  readonly #options: CompactorOptions;
  /** The version of the key when this server last read it, and the revision then. */
  #version = 0;
  #revision = 0;
  #cancel: () => void;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: CompactorOptions) {
    this.#options = options;
    this.#cancel = this.#later(options.intervalMs);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#running;
  }

  #later(milliseconds: number): () => void {
    return this.#options.clock.after(milliseconds, () => {
      this.#running = this.#round().then(() => {
        if (!this.#stopped) this.#cancel = this.#later(this.#options.intervalMs);
      });
    });
  }

  async #round(): Promise<void> {
    try {
      const target = await this.#claim();
      if (target > 0) await this.#compact(target);
    } catch {
      // The next round does what this one could not.
    }
  }

  /** The revision to compact to; 0 if another server does it, or if it is too early. */
  async #claim(): Promise<number> {
    const [version, revision] = [this.#version, this.#revision];
    const answer = await this.#options.client.txn({
      compare: [{ key: KEY, target: 'version', equals: version }],
      success: [{ type: 'put', key: KEY, value: Buffer.from(String(revision)) }],
      failure: [{ type: 'range', range: { key: KEY } }],
    });
    this.#revision = answer.revision;
    this.#version = answer.succeeded ? version + 1 : (answer.ranges[0]?.versions[0] ?? 0);
    return answer.succeeded ? revision : 0;
  }

  async #compact(revision: number): Promise<void> {
    try {
      await this.#options.client.compact(revision);
    } catch (error) {
      if (!(error instanceof StoreError && error.code === 'compacted')) throw error;
    }
    this.#options.onCompacted(revision);
  }
}
