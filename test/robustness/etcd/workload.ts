// Clients that write and read a few objects through either server, at random, and record their requests and
// responses.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient, ApiObject, HttpMethod } from '@instar/testing/api';
import type { Get, List, Operation, Seen, Write, WriteOutcome } from './history.ts';

export const COLLECTION = '/api/v1/namespaces/default/configmaps';
/** The server has its own objects in the namespace. */
export const PREFIX = 'r-';
const KEYS = Array.from({ length: 6 }, (_, at) => `${PREFIX}${at}`);
const PATIENCE_MS = 6_000;
const PAUSE_MS = 6;

export class Workload {
  readonly operations: Operation[] = [];
  readonly counts = { done: 0, refused: 0, unknown: 0, reads: 0, failedReads: 0 };
  readonly #servers: readonly (() => ApiClient)[];
  #running = true;
  #values = 0;
  readonly #workers: Promise<void>[];

  constructor(servers: readonly (() => ApiClient)[], clients: number) {
    this.#servers = servers;
    this.#workers = Array.from({ length: clients }, (_, at) => this.#work(`client-${at}`));
  }

  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#workers);
  }

  async #work(client: string): Promise<void> {
    /** What this client last saw of each key, possibly outdated, which causes conflicts. */
    const seen = new Map<string, Seen | undefined>();
    while (this.#running) {
      await this.#step(client, seen);
      await sleep(PAUSE_MS * Math.random() * 2);
    }
  }

  async #step(client: string, seen: Map<string, Seen | undefined>): Promise<void> {
    const key = pick(KEYS);
    const known = seen.get(key);
    const dice = Math.random();
    if (dice < 0.3) seen.set(key, await this.#get(client, key, dice < 0.07));
    else if (dice < 0.38) await this.#list(client);
    else seen.set(key, await this.#write(client, key, known, dice > 0.9));
  }

  async #write(
    client: string,
    key: string,
    known: Seen | undefined,
    remove: boolean,
  ): Promise<Seen | undefined> {
    const value = `v${this.#values++}`;
    const start = performance.now();
    const answer = await this.#send(...writeOf(key, known, remove, value));
    const outcome = outcomeOf(answer);
    const common = { client, key, start, end: performance.now(), outcome };
    const expected = known?.revision ?? 0;
    const write: Write =
      known === undefined
        ? { ...common, kind: 'create', value }
        : remove
          ? { ...common, kind: 'delete', expected }
          : { ...common, kind: 'update', value, expected };
    this.operations.push(write);
    this.counts[outcome.type]++;
    if (outcome.type === 'done' && write.kind !== 'delete') return { revision: outcome.revision!, value };
    if (outcome.type === 'refused') return this.#get(client, key, false);
    return outcome.type === 'unknown' ? known : undefined;
  }

  async #get(client: string, key: string, stale: boolean): Promise<Seen | undefined> {
    const start = performance.now();
    const answer = await this.#send('GET', `${COLLECTION}/${key}${stale ? '?resourceVersion=0' : ''}`);
    if (answer?.status !== 200 && answer?.status !== 404) return this.#failedRead();
    const seen = answer.status === 200 ? seenOf(answer.body) : undefined;
    const get: Get = { client, key, start, end: performance.now(), kind: 'get', stale, seen };
    this.operations.push(get);
    this.counts.reads++;
    return seen;
  }

  async #list(client: string): Promise<void> {
    const start = performance.now();
    const answer = await this.#send('GET', COLLECTION);
    if (answer?.status !== 200) return void this.#failedRead();
    const items = new Map(
      (answer.body.items ?? []).filter(isOurs).map((item) => [item.metadata.name, seenOf(item)]),
    );
    const list: List = {
      client,
      start,
      end: performance.now(),
      kind: 'list',
      revision: Number(answer.body.metadata.resourceVersion),
      items,
    };
    this.operations.push(list);
    this.counts.reads++;
  }

  #failedRead(): undefined {
    this.counts.failedReads++;
    return undefined;
  }

  /** Undefined if there was no response in time, or no server. */
  async #send(
    method: HttpMethod,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: ApiObject } | undefined> {
    const asked = pick(this.#servers)().send(method, path, body);
    const timer = new AbortController();
    const late = sleep(PATIENCE_MS, undefined, { signal: timer.signal }).catch(() => undefined);
    const answer = await Promise.race([asked.catch(() => undefined), late]);
    timer.abort();
    return answer;
  }
}

const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!;
export const isOurs = ({ metadata }: ApiObject): boolean => metadata.name.startsWith(PREFIX);
export const seenOf = ({ metadata, data }: ApiObject): Seen => ({
  revision: Number(metadata.resourceVersion),
  value: data?.['value'] ?? '',
});

function writeOf(
  key: string,
  known: Seen | undefined,
  remove: boolean,
  value: string,
): [HttpMethod, string, unknown] {
  if (known === undefined) return ['POST', COLLECTION, { metadata: { name: key }, data: { value } }];
  const resourceVersion = String(known.revision);
  if (remove) return ['DELETE', `${COLLECTION}/${key}`, { preconditions: { resourceVersion } }];
  return ['PUT', `${COLLECTION}/${key}`, { metadata: { name: key, resourceVersion }, data: { value } }];
}

function outcomeOf(answer: { status: number; body: ApiObject } | undefined): WriteOutcome {
  if (answer === undefined) return { type: 'unknown' };
  const { status, body } = answer;
  if (status === 200 || status === 201) {
    const revision = Number(body.metadata?.resourceVersion);
    return revision > 0 ? { type: 'done', revision } : { type: 'done' };
  }
  if (status === 404) return { type: 'refused', why: 'absent' };
  if (status === 409)
    return { type: 'refused', why: body.reason === 'AlreadyExists' ? 'exists' : 'conflict' };
  if (status < 500 && status !== 429 && status !== 410)
    throw new Error(`unexpected response to a write: ${status} ${JSON.stringify(body)}`);
  return { type: 'unknown' };
}
