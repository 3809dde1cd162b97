// How the feed learns its progress from an etcd with progress requests, which is newer than the one that
// tests run on: its side of the protocol is played here, as etcd 3.5.13 has it.
import { eventually } from '@instar/testing';
import { afterEach, expect, it } from 'vitest';
import { StoreError, type WatchBatch } from '../../store.ts';
import type { EtcdClient } from './etcd-client.ts';
import type { CallEvents } from './grpc/call.ts';
import { GRPC, GrpcError } from './grpc/status.ts';
import { LiveFeed } from './live-feed.ts';
import { MessageWriter } from './messages/wire.ts';

const message = (...fields: [number, number | Buffer][]): Buffer => {
  const writer = new MessageWriter();
  for (const [field, value] of fields)
    typeof value === 'number' ? writer.number(field, value) : writer.bytes(field, value);
  return writer.finish();
};
const header = (revision: number): [number, Buffer] => [1, message([3, revision])];
const event = (key: string, revision: number): [number, Buffer] => [
  11,
  message([2, message([1, Buffer.from(key)], [2, revision], [3, revision])]),
];
const PROGRESS_REQUEST = Buffer.of(0x1a, 0);

class PlayedEtcd {
  readonly sent: Buffer[] = [];
  #events: CallEvents | undefined;
  readonly client = {
    keyOffset: 0,
    timeoutMs: 1_000,
    status: async () => ({ version: '3.5.13', databaseBytes: 0 }),
    txn: () => Promise.reject(new Error('nothing should be written')),
    watch: async (events: CallEvents) => {
      this.#events = events;
      return {
        send: (bytes: Buffer) => void this.sent.push(bytes),
        cancel: (error: GrpcError) => events.onEnd(error),
      };
    },
  } as unknown as EtcdClient;

  says(...fields: [number, number | Buffer][]): void {
    this.#events!.onMessage(message(...fields));
  }

  hangsUp(): void {
    this.#events!.onEnd(new GrpcError(GRPC.unavailable, 'gone'));
  }

  /** Resolves when so many messages were sent to it. */
  async hears(count: number): Promise<void> {
    await eventually(`message ${count}`, () => this.sent.length >= count);
  }
}

let feed: LiveFeed;
afterEach(() => feed.close(new StoreError('closed', 'over')));

async function open(told: WatchBatch[] = []): Promise<PlayedEtcd> {
  const etcd = new PlayedEtcd();
  feed = new LiveFeed({
    client: etcd.client,
    range: { key: Buffer.from('/'), end: Buffer.from('0') },
    start: { revision: 10, hasEvents: true },
    marker: Buffer.from('/m'),
    markerKey: '/m',
    onBatches: (batches) => told.push(...batches),
    onGap: () => {},
  });
  await etcd.hears(1);
  etcd.says(header(10), [3, 1]);
  return etcd;
}

it('requests progress without a write until a revision arrives', async () => {
  const told: WatchBatch[] = [];
  const etcd = await open(told);
  const reached = feed.reached(15);
  await etcd.hears(2);
  expect(etcd.sent[1]).toEqual(PROGRESS_REQUEST);
  // Not far enough, so it asks again.
  etcd.says(header(12));
  await etcd.hears(3);
  etcd.says(header(15));
  await reached;
  expect(told).toEqual([
    { revision: 12, events: [] },
    { revision: 15, events: [] },
  ]);
  expect([feed.reported, feed.lastEvents]).toEqual([15, 10]);
});

it('does not treat the revision of a new watch as progress, nor known events as new', async () => {
  const told: WatchBatch[] = [];
  const etcd = await open(told);
  etcd.says(header(11), event('/a', 11));
  etcd.hangsUp();
  await etcd.hears(2);
  etcd.says(header(20), [3, 1]);
  expect(feed.reported).toBe(11);
  etcd.says(header(20), event('/a', 11), event('/b', 12));
  expect(told.map(({ revision, events }) => [revision, events.map(({ key }) => key)])).toEqual([
    [11, ['/a']],
    [12, ['/b']],
  ]);
});

it('reports a revision only when all of it arrived on one watch', async () => {
  const told: WatchBatch[] = [];
  const etcd = await open(told);
  etcd.says(header(12), [7, 1], event('/a', 11), event('/b', 12));
  expect(told.map(({ revision }) => revision)).toEqual([11]);
  etcd.hangsUp();
  await etcd.hears(2);
  etcd.says(header(12), [3, 1]);
  etcd.says(header(12), [7, 1], event('/b', 12));
  etcd.says(header(12), event('/c', 12));
  expect(told.at(-1)).toMatchObject({ revision: 12, events: [{ key: '/b' }, { key: '/c' }] });
  expect(told).toHaveLength(2);
});

it('fails if a revision never arrives', async () => {
  await open();
  await expect(feed.reached(99)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('has not reported revision 99'),
  });
});
