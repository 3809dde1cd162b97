// Requests whose body never ends: each gets its answer at its deadline, and gives back what it held.
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type TLSSocket } from 'node:tls';
import { EmbeddedApi } from '@instar/testing/api';
import { afterEach, beforeEach, expect, it } from 'vitest';

const MAPS = '/api/v1/namespaces/default/configmaps';
let api: EmbeddedApi;

beforeEach(async () => {
  api = await EmbeddedApi.start({
    authorizationModes: ['AlwaysAllow'],
    priorityAndFairness: false,
    limits: { maxMutatingRequestsInflight: 1 },
  });
});
afterEach(() => api.close());

// The admin is not limited.
const JANE = { 'impersonate-user': 'jane' };
const authorization = (): string => `Bearer ${api.server.adminToken}`;

async function unfinishedOverHttp1(): Promise<TLSSocket> {
  const { hostname, port } = new URL(api.server.url);
  const socket = connect({ host: hostname, port: Number(port), ca: api.server.caCertificate });
  await once(socket, 'secureConnect');
  const head = [
    `POST ${MAPS}?timeout=100ms HTTP/1.1`,
    `host: ${hostname}`,
    `authorization: ${authorization()}`,
    'impersonate-user: jane',
    'content-type: application/json',
    'content-length: 1000',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n{"apiVersion":`);
  return socket;
}

async function statusOf(socket: TLSSocket): Promise<number> {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return Number(chunk.toString('latin1').split(' ')[1]);
}

const createdAfterwards = async (): Promise<number> => {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a-' } };
  return (await api.send('POST', MAPS, map, JANE)).status;
};

it('a body that does not end over HTTP/1.1 gives its slot back when the deadline passes', async () => {
  const socket = await unfinishedOverHttp1();
  expect(await statusOf(socket)).toBe(504);
  expect(await createdAfterwards()).toBe(201);
  socket.destroy();
});

it('a body that does not end over HTTP/2 gives its slot back when the deadline passes', async () => {
  const session = connectHttp2(api.server.url, { ca: api.server.caCertificate });
  const stream = session.request(
    {
      ':method': 'POST',
      ':path': `${MAPS}?timeout=100ms`,
      authorization: authorization(),
      ...JANE,
      'content-type': 'application/json',
    },
    { endStream: false },
  );
  stream.write('{"apiVersion":');
  const [headers] = await once(stream, 'response');
  expect(headers[':status']).toBe(504);
  expect(await createdAfterwards()).toBe(201);
  session.destroy();
});
