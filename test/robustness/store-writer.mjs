// Run as a child by the robustness tests: opens a store on disk and, if asked to, writes to it from several
// clients until it is killed.
//   node store-writer.mjs DIR hold            prints "open" and holds the store, or prints "refused CODE" and
//   ends
//   node store-writer.mjs DIR fill            writes until that fails; prints how it failed, and what is
//   there before and after reopening
//   node store-writer.mjs DIR empty           fills the disk, with its own data and then with another file,
//   deletes all entries, and writes again; prints what was refused
//   node store-writer.mjs DIR break           makes LMDB's writes fail once, among writes and reads; prints
//   what was answered, and what is there after reopening
//   node store-writer.mjs DIR write ROUND     prints "open REVISION", then a line for every acknowledged
//   commit
import { randomBytes } from 'node:crypto';
import { appendFileSync, closeSync, openSync, readdirSync, readlinkSync, writeSync } from 'node:fs';
import { openStore } from '../../packages/store/dist/index.js';

const [directory, task, round] = process.argv.slice(2);
const CLIENTS = 8;
const say = (line) => writeSync(1, `${line}\n`);

/**
 * A commit of three keys, two of which must always agree; sometimes a delete, so that history has gaps.
 */
async function write(store, client, count) {
  const value = Buffer.from(`${round}.${count}.${'x'.repeat((count * 37) % 3000)}`);
  const unique = `/unique/${client}/${round}.${count}`;
  const operations = [
    { type: 'put', key: `/pair/${client}/a`, value },
    { type: 'put', key: `/pair/${client}/b`, value },
    { type: 'put', key: unique, value },
  ];
  if (count % 5 === 4) operations.push({ type: 'delete', key: `/unique/${client}/${round}.${count - 2}` });
  const result = await store.commit({ conditions: [{ key: unique, modRevision: 0 }], operations });
  say(`ack ${client} ${count} ${result.revision}`);
}

async function writeForever(store, client) {
  for (let count = 0; ; count++) await write(store, client, count);
}

async function fill(store) {
  const put = (key) =>
    store.commit({ conditions: [], operations: [{ type: 'put', key, value: Buffer.alloc(10_000, 'x') }] });
  const count = async (one) => (await one.list({ prefix: '/' })).entries.length;
  let acknowledged = 0;
  const code = await (async () => {
    for (; ; acknowledged++) await put(`/k${acknowledged}`);
  })().catch((error) => error.code);
  const again = await put('/again').catch((error) => error.code);
  const before = await count(store);
  await store.close();
  const reopened = await openStore(`lmdb:${directory}`);
  say(JSON.stringify({ code, again, acknowledged, before, after: await count(reopened) }));
  await reopened.close();
}

/** Another program uses the remaining space. */
function fillWithAnotherFile() {
  try {
    for (;;) appendFileSync(`${directory}/another-file`, Buffer.alloc(4096));
  } catch {
    // The disk is full.
  }
}

async function empty(store) {
  const value = randomBytes(20_000);
  const commit = (operation) => store.commit({ conditions: [], operations: [operation] });
  const put = (key, bytes = value) => commit({ type: 'put', key, value: bytes });
  let count = 0;
  const refusal = await (async () => {
    for (; ; count++) await put(`/k${count}`);
  })().catch((error) => error);
  fillWithAnotherFile();
  const refused = [];
  const attempt = (what, promise) => promise.catch((error) => refused.push(`${what}: ${error.message}`));
  // Together, so that deletes share a group with what must be refused.
  const [growing] = await Promise.allSettled([
    put('/more'),
    ...Array.from({ length: count / 2 }, (_, at) =>
      attempt('delete', commit({ type: 'delete', key: `/k${at}` })),
    ),
  ]);
  for (let at = Math.ceil(count / 2); at < count; at++) {
    await attempt('shrink', put(`/k${at}`, Buffer.from('small')));
    await attempt('delete', commit({ type: 'delete', key: `/k${at}` }));
  }
  await attempt('compact', store.compact(await store.currentRevision()));
  for (let at = 0; at < count / 4; at++) await attempt('write', put(`/again${at}`));
  const { entries } = await store.list({ prefix: '/' });
  say(
    JSON.stringify({
      code: refusal.code,
      message: refusal.message,
      growing: growing.reason?.code,
      count,
      refused,
      again: entries.filter(({ key }) => key.startsWith('/again')).length,
    }),
  );
  await store.close();
}

/** LMDB's own descriptors of the data file become ones that cannot be written. */
function breakDescriptors() {
  let broken = 0;
  for (const name of readdirSync('/proc/self/fd')) {
    try {
      if (!readlinkSync(`/proc/self/fd/${name}`).endsWith('data.mdb')) continue;
    } catch {
      continue;
    }
    closeSync(Number(name));
    // The lowest free number is the one that was just closed.
    if (openSync('/dev/null', 'r') !== Number(name)) throw new Error('another descriptor was free');
    broken++;
  }
  return broken;
}

async function breakAndWrite(store, recoveries) {
  const put = (key) =>
    store.commit({ conditions: [], operations: [{ type: 'put', key, value: Buffer.from(key) }] });
  const events = [];
  store.watch({
    prefix: '/',
    fromRevision: (await store.currentRevision()) + 1,
    onBatch: (batch) => events.push(...batch.events.map(({ key }) => key)),
    onEnd: (error) => events.push(`ended: ${error.message}`),
  });
  for (let at = 0; at < 100; at++) await put(`/before${at}`);
  const broken = breakDescriptors();
  const keys = Array.from({ length: 100 }, (_, at) => `/after${at}`);
  const results = await Promise.allSettled([
    ...keys.map(put),
    ...keys.map(() => store.list({ prefix: '/before' })),
    ...keys.map(() => store.get('/before1')),
  ]);
  const fault = store.fault?.message;
  const told = events.length;
  await store.close();
  const reopened = await openStore(`lmdb:${directory}`);
  const { entries } = await reopened.list({ prefix: '/' });
  await reopened.close();
  const refused = results.filter(({ status }) => status === 'rejected').map(({ reason }) => String(reason));
  say(JSON.stringify({ broken, recoveries, refused, fault, events: told, entries: entries.length }));
}

try {
  const recoveries = [];
  const onRecovery = ({ message }) => recoveries.push(message);
  const store = await openStore(`lmdb:${directory}`, { historySeconds: 3600, onRecovery });
  say(`open ${await store.currentRevision()}`);
  if (task === 'write')
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => writeForever(store, client)));
  else if (task === 'fill') await fill(store);
  else if (task === 'empty') await empty(store);
  else if (task === 'break') await breakAndWrite(store, recoveries);
  else setInterval(() => undefined, 1000);
} catch (error) {
  say(`refused ${error.code} ${error.message}`);
}
