// Several clients over two servers and three members of etcd, while members, servers and the network between
// them fail. The responses that clients got are compared with what happened: see etcd/check.ts.
import { setTimeout as sleep } from 'node:timers/promises';
import { describeUnless, eventually } from '@instar/testing';
import { printLogsOnFailure } from '@instar/testing/command';
import { missingEtcd } from '@instar/testing/etcd';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Arena } from './etcd/arena.ts';
import { check } from './etcd/check.ts';
import { FAULTS } from './etcd/faults.ts';
import { Observer } from './etcd/observer.ts';
import { Watcher } from './etcd/watcher.ts';
import { Workload } from './etcd/workload.ts';

const ROUNDS = 24;
const CLIENTS = 6;
const missing = missingEtcd();

describeUnless(missing, 'two servers over three members of etcd', () => {
  let arena: Arena;
  let observer: Observer;
  printLogsOnFailure(() => arena.servers.map(({ process }) => process));

  beforeAll(async () => {
    arena = await Arena.open();
    observer = await Observer.start(arena.cluster.url);
  }, 60_000);

  afterAll(async () => {
    await observer.store.close();
    await arena.close();
  }, 60_000);

  it(`stay consistent through ${ROUNDS} rounds of faults`, async () => {
    const servers = arena.servers.map((server) => () => server.client);
    const workload = new Workload(servers, CLIENTS);
    const watchers = [0, 1, 2, 3].map(
      (at) =>
        new Watcher(`watcher-${at}`, at % 2 === 0 ? servers : [...servers].reverse(), at > 1 ? 4_000 : 0),
    );
    const order = Array.from({ length: ROUNDS }, (_, at) => FAULTS[at % FAULTS.length]!);
    for (const [round, fault] of order.entries()) {
      const server = arena.servers[round % 2]!;
      // Every third round has two concurrent faults, one for each server.
      const second = round % 3 === 2 ? FAULTS[3 + (round % 5)]! : undefined;
      await Promise.all([
        fault.run(arena, observer, server),
        second?.run(arena, observer, arena.servers[(round + 1) % 2]!),
      ]);
      await sleep(300);
    }
    await arena.heal();
    await sleep(500);
    await workload.stop();
    await caughtUp(arena, observer, watchers);
    for (const watcher of watchers) await watcher.stop();
    const segments = watchers.flatMap((watcher) => watcher.segments);
    const faults = check({ operations: workload.operations, segments, changes: observer.changes });
    const summary = {
      ...workload.counts,
      changes: observer.changes.length,
      watchers: watchers.map(({ counts }) => counts),
      ended: observer.ended,
    };
    expect(faults.slice(0, 5), JSON.stringify(summary)).toEqual([]);
    expect(observer.ended).toBeUndefined();
    expect(workload.counts.done, JSON.stringify(summary)).toBeGreaterThan(100);
  }, 180_000);
});

/** Every watcher has received the last change. */
async function caughtUp(arena: Arena, observer: Observer, watchers: readonly Watcher[]): Promise<void> {
  const last = observer.changes.at(-1)?.revision ?? 0;
  const revisions = () => watchers.map(({ revision }) => revision);
  const logs = () => arena.servers.map(({ process }) => process.log.slice(-2_000));
  await eventually(`every watcher to be at ${last}`, () => revisions().every((at) => at >= last), {
    timeoutMs: 15_000,
    intervalMs: 50,
    state: () => [revisions(), logs()],
  });
}
