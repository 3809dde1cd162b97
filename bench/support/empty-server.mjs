// The least that an HTTPS server of Node can do: 2 KB of JSON for every request, over HTTP/2. Prints its port.
import http2 from 'node:http2';
import { createCa, createLeaf } from '../../packages/serving/dist/index.js';

const ca = { ...createCa('bench', 1), commonName: 'bench' };
const leaf = createLeaf(ca, { subject: { commonName: 'localhost' }, usage: 'server', hosts: ['localhost', '127.0.0.1'], days: 1 });
const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(2000) }));
const server = http2.createSecureServer({ key: leaf.key, cert: leaf.certificate, maxSessionMemory: 1000 });
server.on('stream', (stream) => {
  stream.respond({ ':status': 200, 'content-type': 'application/json', 'content-length': body.length });
  stream.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
