// Run as a child by the robustness tests: opens a store on disk and, if asked to, writes to it from several
// clients until it is killed.
//   node store-writer.mjs DIR hold            prints "open" and holds the store, or prints "refused CODE" and
//   ends
//   node store-writer.mjs DIR fill            writes until that fails; prints how it failed, and what is
//   there before and after reopening
//   node store-writer.mjs DIR write ROUND     prints "open REVISION", then a line for every acknowledged
//   commit
import { writeSync } from 'node:fs';
import { openStore } from '../../packages/store/dist/index.js';

const [directory, task, round] = process.argv.slice(2);
const CLIENTS = 8;
const say = (line) => writeSync(1, `${line}\n`);

/**
 * A commit over three keys, two of which must always agree; now and then a delete, so that history has holes
 * to get right.
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

try {
  const store = await openStore(`lmdb:${directory}`, { historySeconds: 3600 });
  say(`open ${await store.currentRevision()}`);
  if (task === 'write')
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => writeForever(store, client)));
  else if (task === 'fill') await fill(store);
  else setInterval(() => undefined, 1000);
} catch (error) {
  say(`refused ${error.code} ${error.message}`);
}
