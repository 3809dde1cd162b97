// The store compared with LMDB itself: the cost of group commit, history, checksums and watches. Prints
// rates, ratios and how long the event loop was blocked. Run after `npm run build`: node bench/store.mjs
// [DIR], where DIR selects the disk.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { open } from 'lmdb';
import { openStore } from '../packages/store/dist/index.js';

const base = process.argv[2] ?? tmpdir();
const SECONDS = Number(process.env.BENCH_SECONDS ?? 0.3);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 11);
const OBJECTS = 10_000;
const value = Buffer.alloc(2048, 'x');
const keyOf = (number) => `/registry/example.com/widgets/default/widget-${String(number).padStart(8, '0')}`;

/** How often `work` is done in the time, with that many concurrently. */
async function rate(writers, work) {
  let done = 0;
  let next = 0;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const start = performance.now();
  const end = start + SECONDS * 1000;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      for (; performance.now() < end; done++) await work(next++);
    }),
  );
  delay.disable();
  return { perSecond: done / ((performance.now() - start) / 1000), p99: delay.percentile(99) / 1e6 };
}

async function timed(work) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const start = performance.now();
  await work();
  const milliseconds = performance.now() - start;
  await new Promise((resolve) => setTimeout(resolve, 5));
  delay.disable();
  return { milliseconds, longest: delay.max / 1e6 };
}

const middle = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];

/**
 * Both alternately, several times; medians, and the median of the ratios: variations of the disk affect both
 * alike.
 */
async function compare(what, ours, raw, unit = '/s') {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push({ raw: await raw(), ours: await ours() });
  const figure = (one) => one.perSecond ?? one.milliseconds;
  const side = (name) => {
    const results = rounds.map((round) => round[name]);
    const amount = `${Math.round(middle(results.map(figure))).toLocaleString('en')}${unit}`.padStart(11);
    const wait = middle(results.map((one) => one.p99 ?? one.longest)).toFixed(1);
    return `${amount} (loop ${wait} ms)`;
  };
  const ratio = middle(
    rounds.map((one) =>
      unit === '/s' ? figure(one.ours) / figure(one.raw) : figure(one.raw) / figure(one.ours),
    ),
  );
  console.log(
    `${what.padEnd(28)} store ${side('ours').padEnd(26)} lmdb ${side('raw').padEnd(26)} ${Math.round(ratio * 100)} %`,
  );
}

const directory = mkdtempSync(join(base, 'instar-bench-'));
const store = await openStore(`lmdb:${join(directory, 'store')}`);
const raw = open(join(directory, 'raw'), { noSubdir: false, overlappingSync: false, encoding: 'binary' });
let fresh = 0;

const create = () => {
  const key = keyOf(OBJECTS + fresh++);
  return store.commit({ conditions: [{ key, modRevision: 0 }], operations: [{ type: 'put', key, value }] });
};
const update = (number) =>
  store.commit({ conditions: [], operations: [{ type: 'put', key: keyOf(number % OBJECTS), value }] });

for (let at = 0; at < OBJECTS; at += 500) {
  const numbers = Array.from({ length: 500 }, (_, index) => at + index);
  await Promise.all(
    numbers.map((number) =>
      store.commit({ conditions: [], operations: [{ type: 'put', key: keyOf(number), value }] }),
    ),
  );
  await Promise.all(numbers.map((number) => raw.put(keyOf(number), value)));
}

await compare(
  'get',
  () => rate(1, (number) => store.get(keyOf(number % OBJECTS))),
  () => rate(1, async (number) => raw.get(keyOf(number % OBJECTS))),
);
await compare(
  'scan 10,000 × 2 KB',
  () => timed(() => store.list({ prefix: keyOf('').slice(0, -8) })),
  () => timed(async () => raw.getRange({}).asArray),
  ' ms',
);
await compare(
  'durable create, 1 writer',
  () => rate(1, create),
  () => rate(1, () => raw.put(keyOf(OBJECTS + fresh++), value)),
);
await compare(
  'durable create, 64 writers',
  () => rate(64, create),
  () => rate(64, () => raw.put(keyOf(OBJECTS + fresh++), value)),
);
await compare(
  'durable update, 64 writers',
  () => rate(64, update),
  () => rate(64, (number) => raw.put(keyOf(number % OBJECTS), value)),
);

await store.close();
await raw.close();
rmSync(directory, { recursive: true });
