// What the whole server acknowledged survives SIGKILL at any time. Several clients write over HTTP, the
// server is killed and started again; then its lists and watches are compared with the acknowledged writes.
// (store-kill.test.ts does the same with the store alone.)

import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@instar/testing';
import { ApiClient, type ApiObject } from '@instar/testing/api';
import { printLogsOnFailure, ServerProcess } from '@instar/testing/command';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** Nothing else may write what is counted. */
const FLAGS = ['--log-level', 'error', '--controllers=-root-ca-certificate-publisher-controller'];
const ROUNDS = 12;
const WRITERS = 6;
const NAMES_PER_WRITER = 5;
const PATH = '/api/v1/namespaces/default/configmaps';

/** An object as its writer knows it: the revision and the count of its last write. */
interface Known {
  readonly revision: number;
  readonly count: number;
}
type State = Known | 'absent';

/** Both halves are the same in every write, with padding that makes writes span pages. */
const dataOf = (count: number) => ({
  left: String(count),
  right: String(count),
  fill: 'x'.repeat((count * 977) % 9000),
});

/**
 * Writes to its own names, serially, so that at most the last write is in doubt when the server is killed.
 */
class Writer {
  readonly known = new Map<string, State>();
  /** The state of the object after the request in flight. */
  doubt: { readonly name: string; readonly count: number | 'absent' } | undefined;
  acknowledged = 0;
  #count = 0;
  readonly #client: ApiClient;
  readonly #prefix: string;

  constructor(client: ApiClient, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
  }

  async writeUntilItBreaks(): Promise<void> {
    try {
      for (;;) await this.#write(`${this.#prefix}-${this.#count % NAMES_PER_WRITER}`, ++this.#count);
    } catch (error) {
      if ((error as { code?: string }).code === undefined) throw error;
    }
  }

  async #write(name: string, count: number): Promise<void> {
    const before = this.known.get(name) ?? 'absent';
    const remove = before !== 'absent' && count % 7 === 0;
    this.doubt = { name, count: remove ? 'absent' : count };
    const { status, body } = await this.#send(name, count, before, remove);
    expect([200, 201], JSON.stringify(body)).toContain(status);
    this.known.set(name, remove ? 'absent' : { revision: Number(body.metadata.resourceVersion), count });
    this.doubt = undefined;
    this.acknowledged++;
  }

  #send(name: string, count: number, before: State, remove: boolean) {
    const object = { metadata: { name }, data: dataOf(count) };
    if (before === 'absent') return this.#client.send('POST', PATH, object);
    if (remove) return this.#client.send('DELETE', `${PATH}/${name}`);
    if (count % 3 === 0) return this.#client.send('PATCH', `${PATH}/${name}`, { data: dataOf(count) });
    const metadata = { name, resourceVersion: String(before.revision) };
    return this.#client.send('PUT', `${PATH}/${name}`, { metadata, data: dataOf(count) });
  }

  /** Compares the current state with the acknowledged writes, and continues from there. */
  check(actual: ReadonlyMap<string, ApiObject>): void {
    for (const [name, state] of this.known)
      if (this.doubt?.name !== name) expect([name, stateOf(actual.get(name))]).toEqual([name, state]);
    if (this.doubt === undefined) return;
    const { name, count } = this.doubt;
    const now = stateOf(actual.get(name));
    const before = this.known.get(name) ?? 'absent';
    const done =
      now === 'absent'
        ? count === 'absent'
        : now.count === count && now.revision > (before === 'absent' ? 0 : before.revision);
    if (!done) expect([name, now]).toEqual([name, before]);
    this.known.set(name, now);
    this.doubt = undefined;
  }

  newest(): number {
    return Math.max(0, ...[...this.known.values()].map((state) => (state === 'absent' ? 0 : state.revision)));
  }
}

function stateOf(object: ApiObject | undefined): State {
  if (object === undefined) return 'absent';
  const count = Number(object.data!['left']);
  expect(object.data).toEqual(dataOf(count));
  return { revision: Number(object.metadata.resourceVersion), count };
}

/** The state of a watcher that resumes, after every crash, from the last event that it received. */
class Follower {
  readonly #client: ApiClient;
  #state = new Map<string, string>();
  #revision: number;
  resumed = 0;

  constructor(client: ApiClient, revision: number) {
    this.#client = client;
    this.#revision = revision;
  }

  /**
   * Follows until the object of this name appears. False if the server no longer has the history, which it
   * may report.
   */
  async catchUp(marker: string): Promise<boolean> {
    for await (const { type, object } of this.#client.watch(
      `${PATH}?watch=1&resourceVersion=${this.#revision}`,
    )) {
      if (type === 'ERROR') {
        expect(object.code).toBe(410);
        return false;
      }
      const { name, resourceVersion } = object.metadata;
      expect(Number(resourceVersion)).toBeGreaterThan(this.#revision);
      expect([type, name, this.#state.has(name)]).toEqual([type, name, type !== 'ADDED']);
      this.#revision = Number(resourceVersion);
      if (type === 'DELETED') this.#state.delete(name);
      else this.#state.set(name, resourceVersion);
      if (name === marker) break;
    }
    this.resumed++;
    return true;
  }

  check(list: ApiObject): void {
    const listed = new Map(list.items!.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
    expect(new Map([...this.#state].sort())).toEqual(new Map([...listed].sort()));
  }

  relist(list: ApiObject): void {
    this.#state = new Map(list.items!.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
    this.#revision = Number(list.metadata.resourceVersion);
  }
}

let server: ServerProcess;
printLogsOnFailure(() => [server]);
beforeAll(async () => {
  server = await ServerProcess.start({ storage: 'lmdb', flags: FLAGS });
});
afterAll(() => server.remove());

it(`loses no acknowledged write when it is killed ${ROUNDS} times`, {
  timeout: 120_000,
}, async () => {
  const access = await server.access();
  const client = new ApiClient(access);
  const writers = Array.from({ length: WRITERS }, (_, at) => new Writer(client, `w${at}`));
  const follower = new Follower(
    client,
    Number((await client.send('GET', PATH)).body.metadata.resourceVersion),
  );
  const acknowledged = () => writers.reduce((sum, writer) => sum + writer.acknowledged, 0);
  let newest = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const enough = acknowledged() + WRITERS;
    const writing = writers.map((writer) => writer.writeUntilItBreaks());
    await eventually('writes to be acknowledged', () => acknowledged() > enough, { state: acknowledged });
    await sleep(Math.random() * 350);
    await server.kill();
    await Promise.all(writing);
    if (round % 4 === 3) await killWhileStarting();
    await server.startAgain();
    const { body: list } = await client.send('GET', PATH);
    newest = checkRevision(list, Math.max(newest, ...writers.map((writer) => writer.newest())));
    const actual = new Map((list.items as ApiObject[]).map((object) => [object.metadata.name, object]));
    for (const writer of writers) writer.check(actual);
    const marker = await client.send('POST', PATH, {
      metadata: { name: `marker-${round}` },
      data: dataOf(0),
    });
    expect(Number(marker.body.metadata.resourceVersion)).toBeGreaterThan(newest);
    const { body: after } = await client.send('GET', PATH);
    if (await follower.catchUp(`marker-${round}`)) follower.check(after);
    else follower.relist(after);
  }
  await client.close();
  expect(follower.resumed).toBeGreaterThan(0);
});

async function killWhileStarting(): Promise<void> {
  const starting = server.startAgain();
  await sleep(Math.random() * 400);
  await server.kill();
  await starting.catch(() => undefined);
}

function checkRevision(list: ApiObject, newest: number): number {
  const revision = Number(list.metadata.resourceVersion);
  expect(revision).toBeGreaterThanOrEqual(newest);
  return revision;
}
