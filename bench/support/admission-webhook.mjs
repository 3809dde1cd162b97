// A minimal validating webhook in its own process: it allows everything. Prints its port and its CA.
import https from 'node:https';
import { createCa, createLeaf } from '../../packages/serving/dist/index.js';

const ca = { ...createCa('bench-admission', 1), commonName: 'bench-admission' };
const leaf = createLeaf(ca, {
  subject: { commonName: 'localhost' },
  usage: 'server',
  hosts: ['localhost', '127.0.0.1'],
  days: 1,
});

const server = https.createServer(
  { key: leaf.key, cert: leaf.certificate, keepAliveTimeout: 60_000 },
  (request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { apiVersion, request: asked } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const body = Buffer.from(
        JSON.stringify({ apiVersion, kind: 'AdmissionReview', response: { uid: asked.uid, allowed: true } }),
      );
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.end(body);
    });
  },
);
server.listen(0, '127.0.0.1', () =>
  console.log(
    JSON.stringify({ port: server.address().port, ca: Buffer.from(ca.certificate).toString('base64') }),
  ),
);
