// A minimal HTTPS server of Node, over HTTP/2: 2 KB of JSON for a GET; N bytes from memory for a GET of
// /bytes/N; for a POST, the body is read and committed by the engine, and nothing else. Prints its port.
// Usage: empty-server.mjs DATA_DIR
import http2 from 'node:http2';
import { createCa, createLeaf } from '../../packages/serving/dist/index.js';
import { openStore } from '../../packages/store/dist/index.js';

const ca = { ...createCa('bench', 1), commonName: 'bench' };
const leaf = createLeaf(ca, {
  subject: { commonName: 'localhost' },
  usage: 'server',
  hosts: ['localhost', '127.0.0.1'],
  days: 1,
});
const small = Buffer.from(JSON.stringify({ text: 'x'.repeat(2000) }));
const store = await openStore(`lmdb:${process.argv[2]}`, {});
let large = Buffer.alloc(0);
let commits = 0;

const answer = (stream, body) => {
  stream.respond({ ':status': 200, 'content-type': 'application/json', 'content-length': body.length });
  stream.end(body);
};

function post(stream) {
  const chunks = [];
  stream.on('data', (chunk) => chunks.push(chunk));
  stream.on('end', async () => {
    const [key, value] = [`/registry/bare/${commits++}`, Buffer.concat(chunks)];
    await store.commit({ conditions: [{ key, modRevision: 0 }], operations: [{ type: 'put', key, value }] });
    answer(stream, value);
  });
}

const server = http2.createSecureServer({ key: leaf.key, cert: leaf.certificate, maxSessionMemory: 1000 });
server.on('stream', (stream, headers) => {
  const [, bytes] = /^\/bytes\/(\d+)/.exec(headers[':path']) ?? [];
  if (headers[':method'] === 'POST') return post(stream);
  if (bytes === undefined) return answer(stream, small);
  if (large.length !== Number(bytes)) large = Buffer.alloc(Number(bytes), 'x');
  return answer(stream, large);
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
