// An acknowledged write survives SIGKILL at any time. Fifty times, several clients write in a child process
// that is killed; then what is on disk is compared with what was acknowledged. (This cannot show that syncing
// works: killing a process does not affect the page cache. Every acknowledgment follows LMDB's sync because
// of how it is opened; see docs/decisions/0001-storage-engine.md.)
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore, type Store, type StoredEntry, type StoreEvent } from '@instar/store';
import { temporaryFolder } from '@instar/testing';
import { expect, it } from 'vitest';
import { StoreChild } from './store-child.ts';

const ROUNDS = 50;
const directory = temporaryFolder();

const line = (entry: StoredEntry): string =>
  `${entry.modRevision} ${entry.createRevision} ${Buffer.from(entry.value).toString()}`;

/** The state by the events of history; each event must match the state before it. */
class Replay {
  readonly state = new Map<string, string>();
  revision = 1;

  apply(event: StoreEvent): void {
    expect(event.previous && line(event.previous)).toBe(this.state.get(event.key));
    if (event.entry === undefined) this.state.delete(event.key);
    else this.state.set(event.key, line(event.entry));
    this.revision = event.revision;
  }

  async catchUp(store: Store): Promise<void> {
    const target = await store.currentRevision();
    if (target === this.revision) return;
    await new Promise<void>((resolve, reject) => {
      const watch = store.watch({
        prefix: '',
        fromRevision: this.revision + 1,
        onEnd: reject,
        onBatch: ({ revision, events }) => {
          try {
            expect(revision).toBe(this.revision + 1);
            for (const event of events) this.apply(event);
          } catch (error) {
            watch.stop();
            reject(error);
          }
          if (revision < target) return;
          watch.stop();
          resolve();
        },
      });
    });
  }
}

async function writeAndKill(
  round: number,
): Promise<{ opened: number; acknowledged: { client: number; count: number; revision: number }[] }> {
  const child = new StoreChild(directory, 'write', round);
  // Some are killed while they open; most while they write.
  if (round % 10 !== 9) await child.opened();
  await sleep(Math.random() * 120);
  await child.kill();
  const opened = Number(child.lines[0]?.split(' ')[1] ?? 0);
  const acknowledged = child.lines.slice(1).map((said) => {
    const [, client, count, revision] = said.split(' ').map(Number);
    return { client: client!, count: count!, revision: revision! };
  });
  return { opened, acknowledged };
}

it(`loses no acknowledged write when it is killed ${ROUNDS} times`, { timeout: 180_000 }, async () => {
  const replay = new Replay();
  let newest = 1;
  let total = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { opened, acknowledged } = await writeAndKill(round);
    if (opened > 0) expect(opened).toBe(newest);
    const store = await openStore(`lmdb:${directory}`, { historySeconds: 3600 });
    const revision = await store.currentRevision();
    expect(revision).toBeGreaterThanOrEqual(Math.max(newest, ...acknowledged.map((ack) => ack.revision)));
    newest = revision;
    total += acknowledged.length;
    await replay.catchUp(store);
    const { entries } = await store.list({ prefix: '' });
    const state = new Map(entries.map((entry) => [entry.key, line(entry)]));
    expect(state).toEqual(replay.state);
    await checkAcknowledged(store, round, acknowledged, state);
    checkPairs(state);
    await store.close();
  }
  expect(total).toBeGreaterThan(ROUNDS * 8);
});

async function checkAcknowledged(
  store: Store,
  round: number,
  acknowledged: readonly { client: number; count: number; revision: number }[],
  state: ReadonlyMap<string, string>,
): Promise<void> {
  for (const { client, count, revision } of acknowledged) {
    const key = `/unique/${client}/${round}.${count}`;
    const now = state.get(key);
    if (now !== undefined) expect(now.startsWith(`${revision} ${revision} ${round}.${count}.`)).toBe(true);
    // Two writes later, the same client deletes some of them; then history must still have them.
    else
      expect((await store.list({ prefix: key, revision })).entries.map((entry) => entry.modRevision)).toEqual(
        [revision],
      );
  }
}

/** Both halves of a pair are from the same commit: never one without the other. */
function checkPairs(state: ReadonlyMap<string, string>): void {
  for (const [key, value] of state) {
    if (!key.startsWith('/pair/')) continue;
    const other = key.endsWith('a') ? 'b' : 'a';
    expect(state.get(key.slice(0, -1) + other)).toBe(value);
  }
}
