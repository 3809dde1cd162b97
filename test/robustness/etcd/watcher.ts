// A client that lists, then watches, and resumes with whichever server responds; it lists again only after
// 410.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient, WatchEvent } from '@instar/testing/api';
import type { Segment, WatchedEvent } from './history.ts';
import { COLLECTION, isOurs, seenOf } from './workload.ts';

export class Watcher {
  readonly segments: Segment[] = [];
  /** How often it resumed, and how often it had to list again. */
  readonly counts = { resumed: 0, expired: 0 };
  readonly #name: string;
  readonly #servers: readonly (() => ApiClient)[];
  readonly #pauseMs: number;
  #revision = 0;
  #running = true;
  #finished: Promise<void>;

  /** With a pause it resumes so late that its revision may have been compacted. */
  constructor(name: string, servers: readonly (() => ApiClient)[], pauseMs = 0) {
    this.#name = name;
    this.#servers = servers;
    this.#pauseMs = pauseMs;
    this.#finished = this.#run();
  }

  /** Everything up to this revision was received. */
  get revision(): number {
    return this.#revision;
  }

  async stop(): Promise<void> {
    this.#running = false;
    await Promise.race([this.#finished, sleep(1_000)]);
  }

  async #run(): Promise<void> {
    for (let round = 0; this.#running; round++) {
      try {
        if (this.#revision === 0) await this.#list(round);
        await this.#watch(round);
        this.counts.resumed++;
        if (this.#pauseMs > 0 && this.#revision > 0) await sleep(this.#pauseMs);
      } catch {
        await sleep(50);
      }
    }
  }

  #server(round: number): ApiClient {
    return this.#servers[round % this.#servers.length]!();
  }

  async #list(round: number): Promise<void> {
    const { status, body } = await this.#server(round).send('GET', COLLECTION);
    if (status !== 200) throw new Error(`the list failed with ${status}`);
    this.#revision = Number(body.metadata.resourceVersion);
    this.segments.push({ watcher: this.#name, from: this.#revision, events: [] });
  }

  async #watch(round: number): Promise<void> {
    const query = `watch=1&resourceVersion=${this.#revision}&allowWatchBookmarks=true&timeoutSeconds=${3 + (round % 5)}`;
    for await (const event of this.#server(round).watch(`${COLLECTION}?${query}`)) {
      if (!this.#running) return;
      if (!this.#take(event)) return;
    }
  }

  #take({ type, object }: WatchEvent): boolean {
    if (type === 'ERROR' || object.kind === 'Status') {
      if (object.code !== 410) throw new Error(`the watch ended with ${JSON.stringify(object)}`);
      this.counts.expired++;
      this.#revision = 0;
      return false;
    }
    const { revision, value } = seenOf(object);
    this.#revision = Math.max(revision, this.#revision);
    if (type === 'BOOKMARK' || !isOurs(object)) return true;
    const told: WatchedEvent = { type, key: object.metadata.name, revision, value };
    this.segments.at(-1)!.events.push(told);
    return true;
  }
}
