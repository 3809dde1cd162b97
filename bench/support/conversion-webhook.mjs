// A conversion webhook as plain as it gets, in a process of its own: v1 has spec.cronSpec where v2 has spec.schedule. Prints its port and its CA;
// GET / tells how often it was called and with how many objects.
import https from 'node:https';
import { createCa, createLeaf } from '../../packages/serving/dist/index.js';

const ca = { ...createCa('bench-webhook', 1), commonName: 'bench-webhook' };
const leaf = createLeaf(ca, { subject: { commonName: 'localhost' }, usage: 'server', hosts: ['localhost', '127.0.0.1'], days: 1 });
const told = { calls: 0, objects: 0 };

function convert(object, apiVersion) {
  const { cronSpec, schedule, ...spec } = object.spec;
  const time = cronSpec ?? schedule;
  return { ...object, apiVersion, spec: apiVersion.endsWith('/v2') ? { ...spec, schedule: time } : { ...spec, cronSpec: time } };
}

const server = https.createServer({ key: leaf.key, cert: leaf.certificate, keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify(told));
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const review = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const { uid, objects, desiredAPIVersion } = review.request;
    told.calls++;
    told.objects += objects.length;
    const convertedObjects = objects.map((object) => convert(object, desiredAPIVersion));
    const body = Buffer.from(
      JSON.stringify({
        apiVersion: review.apiVersion,
        kind: review.kind,
        response: { uid, convertedObjects, result: { status: 'Success' } },
      }),
    );
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ port: server.address().port, ca: Buffer.from(ca.certificate).toString('base64') })),
);
