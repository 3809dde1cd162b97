import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { TlsListener } from '../listen/tls-listener.ts';
import { SILENT } from '../log/log.ts';
import { createCa, createLeaf } from '../tls/certificate.ts';
import type { Exchange } from './exchange.ts';

const BYTES = 600 * 1024;
const CONNECTIONS = 4;
const REQUESTS = 5;

/**
 * Runs in a thread of its own, to send its next request while the server is busy. Reports how many of its
 * requests were answered.
 */
const CLIENT = `
const { connect } = require('node:tls');
const { parentPort, workerData: { port, bytes, requests } } = require('node:worker_threads');
const body = Buffer.alloc(bytes, 'x');
const head = 'POST / HTTP/1.1\\r\\nhost: x\\r\\ncontent-length: ' + bytes + '\\r\\n\\r\\n';
let [answered, unread] = [0, 0];
const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, ask);
function ask() {
  unread = undefined;
  socket.write(Buffer.concat([Buffer.from(head), body]));
}
socket.on('data', (chunk) => {
  unread ??= bytes + chunk.indexOf('\\r\\n\\r\\n') + 4;
  unread -= chunk.length;
  if (unread > 0) return;
  if (++answered < requests) ask();
  else socket.destroy();
});
socket.on('error', () => {});
socket.on('close', () => parentPort.postMessage(answered));
`;

let listener: TlsListener | undefined;
let isOver = false;
afterEach(() => {
  isOver = true;
  return listener?.close(0);
});

/** Keeps this process busy most of the time, in slices as long as those of a large conversion. */
function keepBusy(): void {
  for (const end = performance.now() + 5; performance.now() < end; );
  if (!isOver) setImmediate(keepBusy);
}

async function serve(): Promise<number> {
  const ca = { ...createCa('ca', 1), commonName: 'ca' };
  const { key, certificate } = createLeaf(ca, {
    subject: { commonName: 'x' },
    usage: 'server',
    hosts: ['127.0.0.1'],
    days: 1,
  });
  const answer = Buffer.alloc(BYTES, 'x');
  const onExchange = (exchange: Exchange): void => {
    exchange.body.resume().once('end', () => setImmediate(() => exchange.send(200, {}, [answer])));
  };
  listener = await TlsListener.open({
    host: '127.0.0.1',
    port: 0,
    tls: { key, cert: certificate },
    askForClientCertificate: false,
    keepAliveMs: 60_000,
    requestTimeoutMs: 60_000,
    maxHeaderBytes: 16_384,
    http2: {},
    log: SILENT,
    closesUnread: false,
    onExchange,
  });
  return listener.address.port;
}

it('a large request may immediately follow a large answer, even if the process is busy', async () => {
  const port = await serve();
  keepBusy();
  const answered = Array.from({ length: CONNECTIONS }, async () => {
    const client = new Worker(CLIENT, { eval: true, workerData: { port, bytes: BYTES, requests: REQUESTS } });
    const [count] = await once(client, 'message');
    await client.terminate();
    return count as number;
  });
  expect(await Promise.all(answered)).toEqual(Array.from({ length: CONNECTIONS }, () => REQUESTS));
});
