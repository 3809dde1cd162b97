// What must hold when the clients have left.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from './client.mjs';
import { MAPS } from './definitions.mjs';
import { stayOpen, takeSlot } from './hostile.mjs';

/** Connections to the webhook are kept for a while, and a file may be open for a moment. */
const DESCRIPTOR_TOLERANCE = 4;
const WRITE_SLOTS = 200;
const SETTLE_MS = 60_000;
/** Mostly two seconds; on a busy machine a program may use its whole grace period, at most ten. */
const SHUTDOWN_MS = 12_000;

export async function checkEnd({ soak, server, kit, clients, samples, baseDescriptors }) {
  // A fault of the webhook just before the end.
  await sleep(10_000);
  const faultsBefore = soak.report.faultCount;
  for (const client of clients) {
    await client.finish?.().catch((error) => soak.report.fault(client.sort, error.stack ?? error));
  }
  const checks = [
    { name: 'every acknowledged write exists', text: '', holds: soak.report.faultCount === faultsBefore },
  ];
  for (const client of clients) await client.close();

  for (const [name, program] of Object.entries({ server, kit })) {
    checks.push(await descriptorsOf(name, program, baseDescriptors[name]));
    const [held, rss] = [samples[name].verdict('held'), samples[name].verdict('rss')];
    checks.push({ name: `${name}: heap and buffers after collection`, ...held });
    checks.push({ name: `${name}: resident memory`, ...rss });
  }
  checks.push(...(await slots(soak)));
  checks.push(...(await shutdowns(soak, server, kit)));
  return checks;
}

async function descriptorsOf(name, program, base) {
  const limit = base + DESCRIPTOR_TOLERANCE;
  const count = await settles(
    () => program.descriptors(),
    (now) => now <= limit,
  );
  return { name: `${name}: descriptors`, text: `${base} → ${count}, limit ${limit}`, holds: count <= limit };
}

/** All slots are free, all can be taken, and all are free again. */
async function slots(soak) {
  const client = new Client(soak.access, 'h1');
  const inFlight = async (kind) => {
    const { body } = await client.send('GET', '/metrics');
    const match = new RegExp(
      `^apiserver_current_inflight_requests\\{request_kind="${kind}"\\} (\\d+)`,
      'm',
    ).exec(body);
    return Number(match?.[1] ?? Number.NaN);
  };
  const writes = await settles(
    () => inFlight('mutating'),
    (now) => now === 0,
  );
  // The request for the metrics is one.
  const reads = await settles(
    () => inFlight('readOnly'),
    (now) => now <= 1,
  );
  const taken = await Promise.all(Array.from({ length: WRITE_SLOTS }, () => takeSlot(soak.access)));
  const held = await settles(
    () => inFlight('mutating'),
    (now) => now === WRITE_SLOTS,
  );
  const write = async (name) =>
    (await client.send('POST', MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })).status;
  // The admin is exempt from priority and fairness.
  const beyond = await write('beyond');
  for (const socket of taken) socket.destroy();
  const released = await settles(
    () => inFlight('mutating'),
    (now) => now === 0,
  );
  const after = await write('after');
  await client.close();
  return [
    {
      name: 'requests in flight',
      text: `${writes} writes, ${reads} reads`,
      holds: writes === 0 && reads <= 1,
    },
    {
      name: 'slots for writes',
      text: `${held} of ${WRITE_SLOTS} taken, then ${beyond}; ${released} after they left, then ${after}`,
      holds: held === WRITE_SLOTS && beyond === 201 && released === 0 && after === 201,
    },
  ];
}

async function shutdowns(soak, server, kit) {
  const open = await stayOpen(soak.access, soak.kitAccess);
  const ends = await Promise.all([server.terminate(), kit.terminate()]);
  for (const connection of open) connection.destroy();
  return ends.map(({ how, milliseconds }, at) => ({
    name: `${['server', 'kit'][at]}: SIGTERM with connections open`,
    text: `ended with ${how} after ${milliseconds} ms, limit ${SHUTDOWN_MS} ms`,
    holds: how === 0 && milliseconds <= SHUTDOWN_MS,
  }));
}

/** The last value, when it holds or the time is over. */
async function settles(read, holds) {
  const deadline = Date.now() + SETTLE_MS;
  for (;;) {
    const value = await read();
    if (holds(value) || Date.now() > deadline) return value;
    await sleep(250);
  }
}
