// Watches over WebSocket, with a client library that is not ours.
import { once } from 'node:events';
import { request } from 'node:https';
import { EmbeddedApi } from '@instar/testing/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { lengthDelimited, linesOf } from './web-socket.ts';

const SECRETS = '/api/v1/namespaces/default/secrets';
let api: EmbeddedApi;

beforeEach(async () => {
  api = await EmbeddedApi.start({ limits: { maxWatches: 2 } });
});
afterEach(() => api.close());

const create = (name: string) =>
  api.send('POST', SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata: { name } });

function open(path: string, headers: Record<string, string> = {}): WebSocket {
  return new WebSocket(api.server.url.replace('https', 'wss') + path, {
    ca: api.server.caCertificate,
    origin: api.server.url,
    headers: { authorization: `Bearer ${api.server.adminToken}`, ...headers },
  });
}

interface Message {
  readonly text: string;
  readonly isBinary: boolean;
}

async function messages(socket: WebSocket, count: number): Promise<Message[]> {
  const received: Message[] = [];
  while (received.length < count) {
    const [data, isBinary] = (await once(socket, 'message')) as [Buffer, boolean];
    received.push({ text: data.toString(), isBinary });
  }
  return received;
}

/** The status of the response that refuses the handshake. */
async function refusal(socket: WebSocket): Promise<number> {
  const [, response] = await once(socket, 'unexpected-response');
  socket.on('error', () => {}).terminate();
  return response.statusCode;
}

describe('a watch over WebSocket', () => {
  it('sends each event as one text message that is a line', async () => {
    await create('a');
    const socket = open(`${SECRETS}?watch=true`);
    const initial = await messages(socket, 1);
    const later = messages(socket, 1);
    await create('b');
    const all = [...initial, ...(await later)];
    expect(all.map(({ text }) => JSON.parse(text))).toMatchObject([
      { type: 'ADDED', object: { metadata: { name: 'a' } } },
      { type: 'ADDED', object: { metadata: { name: 'b' } } },
    ]);
    expect(all.every(({ text, isBinary }) => text.endsWith('\n') && !isBinary)).toBe(true);
    socket.terminate();
  });

  it('sends each existing object as one message', async () => {
    for (const name of ['a', 'b', 'c']) await create(name);
    const socket = open(`${SECRETS}?watch=true`);
    const received: string[] = [];
    socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString()).object.metadata.name));
    await once(socket, 'message');
    await create('d');
    while (received.length < 4) await once(socket, 'message');
    expect(received).toEqual(['a', 'b', 'c', 'd']);
    socket.terminate();
  });

  it('ends with a close frame at its timeout', async () => {
    const socket = open(`${SECRETS}?watch=true&timeoutSeconds=1`);
    const [code] = await once(socket, 'close');
    expect(code).toBe(1000);
  });

  it('is refused without an Origin, as by kube-apiserver', async () => {
    const socket = new WebSocket(`${api.server.url.replace('https', 'wss')}${SECRETS}?watch=true`, {
      ca: api.server.caCertificate,
      headers: { authorization: `Bearer ${api.server.adminToken}` },
    });
    expect(await refusal(socket)).toBe(403);
  });

  it('is refused without credentials, as any request is', async () => {
    expect(await refusal(open(`${SECRETS}?watch=true`, { authorization: 'Bearer wrong' }))).toBe(401);
  });

  it('releases its slot when the client disconnects or the handshake is refused', async () => {
    for (let i = 0; i < 3; i++) {
      const socket = open(`${SECRETS}?watch=true`);
      await once(socket, 'open');
      socket.close();
      await once(socket, 'close');
    }
    for (let i = 0; i < 3; i++) {
      const broken = request(`${api.server.url}${SECRETS}?watch=true`, {
        ca: api.server.caCertificate,
        headers: {
          authorization: `Bearer ${api.server.adminToken}`,
          origin: api.server.url,
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
        },
      }).end();
      const [response] = await once(broken, 'response');
      expect(response.statusCode).toBe(400);
      response.resume();
    }
    const socket = open(`${SECRETS}?watch=true`);
    await once(socket, 'open');
    socket.terminate();
  });

  it('does not keep the server from closing', async () => {
    const socket = open(`${SECRETS}?watch=true`);
    await once(socket, 'open');
    const closed = once(socket, 'close');
    await api.close();
    await closed;
  });
});

it('answers a list that requests an upgrade with the list', async () => {
  const listing = request(`${api.server.url}${SECRETS}`, {
    ca: api.server.caCertificate,
    headers: {
      authorization: `Bearer ${api.server.adminToken}`,
      connection: 'Upgrade',
      upgrade: 'websocket',
    },
  }).end();
  const [response] = await once(listing, 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  expect([response.statusCode, JSON.parse(text).kind]).toEqual([200, 'SecretList']);
});

describe('events', () => {
  const cut = (parts: Iterable<Uint8Array>): string[] =>
    [...parts].map((part) => Buffer.from(part).toString());

  it('in JSON are split at the end of each line', () => {
    expect(cut(linesOf(Buffer.from('{"a":1}\n{"b":2}\n')))).toEqual(['{"a":1}\n', '{"b":2}\n']);
  });

  it('in protobuf are split by their length, which is omitted', () => {
    const framed = Buffer.from([0, 0, 0, 2, 97, 98, 0, 0, 0, 1, 99]);
    expect(cut(lengthDelimited(framed))).toEqual(['ab', 'c']);
  });
});
