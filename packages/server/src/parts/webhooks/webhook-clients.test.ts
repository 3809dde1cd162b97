import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createCa, createLeaf } from '@instar/serving';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { WebhookClients } from './webhook-clients.ts';

const ca = { ...createCa('ca', 1), commonName: 'ca' };
let tls: { key: string; cert: string };
let server: Server;
let clients: WebhookClients;
let answer: RequestListener;

beforeAll(() => {
  const leaf = createLeaf(ca, {
    subject: { commonName: 'x' },
    usage: 'server',
    hosts: ['127.0.0.1'],
    days: 1,
  });
  tls = { key: leaf.key, cert: leaf.certificate };
});

beforeEach(async () => {
  server = createServer(tls, (request, response) => answer(request.resume(), response)).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  clients = new WebhookClients({ resolve: () => Promise.reject(new Error('no services')) }, 'test');
});

afterEach(async () => {
  clients.close();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const post = async (trusted = ca.certificate) => {
  const { port } = server.address() as AddressInfo;
  const client = clients.open({
    url: `https://127.0.0.1:${port}/convert`,
    caBundle: Buffer.from(trusted).toString('base64'),
  });
  const { status, body } = await client.post({ pieces: ['{}'], timeoutMs: 5_000 });
  return { status, body };
};

it('a caBundle may be the certificate of the webhook itself, without the CA that signed it', async () => {
  answer = (_, response) => response.end('{}');
  expect((await post(tls.cert)).status).toBe(200);
});

it('a caBundle of another CA is not trusted', async () => {
  answer = (_, response) => response.end('{}');
  await expect(post(createCa('ca', 1).certificate)).rejects.toThrow(/x509: /);
});

it('an encoded answer is refused with the name of its encoding', async () => {
  answer = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{}'));
  await expect(post()).rejects.toMatchObject({
    name: 'CallError',
    message: expect.stringMatching(
      /^Post "https:.*": the answer has Content-Encoding "gzip" \(HTTP 200\), and only answers without one are read$/,
    ),
    mayRetry: false,
  });
});

it('an answer in the encoding identity, which requests ask for, is read', async () => {
  let asked: unknown;
  answer = ({ headers }, response) => {
    asked = headers['accept-encoding'];
    response.writeHead(200, { 'content-encoding': 'Identity' }).end('{}');
  };
  expect(await post()).toEqual({ status: 200, body: '{}' });
  expect(asked).toBe('identity');
});

it('a redirect is refused with its location, which is not called', async () => {
  let calls = 0;
  for (const status of [301, 302, 303, 307, 308]) {
    answer = ({ url }, response) => {
      calls++;
      response.writeHead(status, { location: `${url}/v2` }).end();
    };
    await expect(post()).rejects.toThrow(
      `the webhook redirects to "/convert?timeout=5s/v2" (HTTP ${status}), and redirects are not followed`,
    );
  }
  expect(calls).toBe(5);
  answer = (_, response) => response.writeHead(307).end('nowhere');
  expect(await post()).toEqual({ status: 307, body: 'nowhere' });
});
