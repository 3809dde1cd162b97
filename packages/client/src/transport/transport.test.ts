// Against a server that misbehaves as configured: proxies before an API server may do what it never does
// itself.
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { ApiError } from '@instar/machinery';
import { createCa, createLeaf } from '@instar/serving';
import { eventually, FakeClock, temporaryFolder } from '@instar/testing';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { KubeClient } from '../kube-client.ts';
import type { ClusterAccess } from '../kubeconfig/cluster-access.ts';
import type { TransportOptions } from './transport.ts';

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  return (server.address() as AddressInfo).port;
}

function clientFor(
  access: Partial<ClusterAccess> & { server: string },
  options: TransportOptions = {},
): KubeClient {
  const client = new KubeClient(
    { context: '', namespace: 'default', tls: { insecure: false }, ...access },
    options,
  );
  cleanups.push(() => client.close());
  return client;
}

async function answering(
  answers: Respond[],
  options: TransportOptions = {},
  access: Partial<ClusterAccess> = {},
) {
  const seen: string[] = [];
  const port = await listen(
    createServer((request, response) => {
      seen.push(
        `${request.method} ${request.url}${request.headers.authorization ? ` ${request.headers.authorization}` : ''}`,
      );
      (answers[seen.length - 1] ?? answers.at(-1)!)(request, response);
    }),
  );
  return { client: clientFor({ server: `http://127.0.0.1:${port}/base`, ...access }, options), seen };
}

const json =
  (code: number, body: unknown, headers: Record<string, string> = {}): Respond =>
  (_, response) =>
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const pod = { group: '', version: 'v1', resource: 'pods', namespace: 'a b', name: 'p' };
const object = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p' } };

describe('requests', () => {
  it('are sent below the base path of the server, with every path segment encoded', async () => {
    const { client, seen } = await answering([json(200, object)]);
    await client.get({ ...pod, subresource: 'status' }, { resourceVersion: '0' });
    expect(seen).toEqual(['GET /base/api/v1/namespaces/a%20b/pods/p/status?resourceVersion=0']);
  });

  it('are retried as the server requests, within bounds', async () => {
    const busy = json(429, { kind: 'Status', code: 429, message: 'busy' }, { 'retry-after': '3' });
    const clock = new FakeClock();
    const { client, seen } = await answering(
      [busy, json(503, {}, { 'retry-after': '1' }), json(200, object)],
      { clock },
    );
    const got = client.create(pod, object);
    await eventually('a pause of 3 s', () => clock.pending()[0] === 3000);
    await clock.pass(3000);
    await eventually('a pause of 1 s', () => clock.pending()[0] === 1000);
    await clock.pass(1000);
    expect((await got).kind).toBe('Pod');
    expect(seen).toHaveLength(3);
  });

  it('are not retried forever, after too long a Retry-After, or without one', async () => {
    const busy = (seconds: string) =>
      json(
        429,
        { kind: 'Status', code: 429, reason: 'TooManyRequests', message: 'busy' },
        { 'retry-after': seconds },
      );
    const often = await answering([busy('0')], { maxRetries: 3 });
    await expect(often.client.get(pod)).rejects.toMatchObject({ code: 429, message: 'busy' });
    expect(often.seen).toHaveLength(4);
    const long = await answering([busy('31')]);
    await expect(long.client.get(pod)).rejects.toBeInstanceOf(ApiError);
    const silent = await answering([json(503, {})]);
    await expect(silent.client.get(pod)).rejects.toMatchObject({ code: 503, reason: 'ServiceUnavailable' });
    expect([long.seen.length, silent.seen.length]).toEqual([1, 1]);
  });

  it('are retried after a broken connection only if they are reads', async () => {
    const broken: Respond = (request) => request.socket.destroy();
    const read = await answering([broken, json(200, object)]);
    expect((await read.client.get(pod)).kind).toBe('Pod');
    const written = await answering([broken, json(200, object)]);
    await expect(written.client.create(pod, object)).rejects.toMatchObject({
      name: 'ConnectionError',
      fault: 'closed',
    });
    expect([read.seen.length, written.seen.length]).toEqual([2, 1]);
  });

  it('are retried once with new credentials after a 401', async () => {
    const folder = temporaryFolder(onTestFinished);
    const tokenFile = join(folder, 'token');
    await writeFile(tokenFile, 'old');
    const unauthorized: Respond = (request, response) =>
      void writeFile(tokenFile, 'new').then(() => json(401, {})(request, response));
    const { client, seen } = await answering([unauthorized, json(200, object)], {}, { tokenFile });
    await client.get(pod);
    expect(seen.map((line) => line.split(' ').slice(2).join(' '))).toEqual(['Bearer old', 'Bearer new']);
    const refused = await answering([json(401, {})], {}, { tokenFile });
    await expect(refused.client.get(pod)).rejects.toMatchObject({ code: 401 });
    expect(refused.seen).toHaveLength(2);
  });

  it.each([
    ['silence', (() => undefined) as Respond, { timeoutMs: 30 }, 'timeout'],
    [
      'half an answer',
      ((_, response) => response.writeHead(200, { 'content-length': '10' }).write('{')) as Respond,
      { timeoutMs: 30 },
      'timeout',
    ],
    ['too much', json(200, { text: 'x'.repeat(5000) }), { maxBodyBytes: 1000 }, 'too-large'],
    ['no JSON', ((_, response) => response.end('<html>')) as Respond, {}, 'malformed'],
  ])('that are answered with %s fail in time', async (_, answer, options, fault) => {
    const { client } = await answering([answer], options);
    await expect(client.get(pod)).rejects.toMatchObject({ name: 'ConnectionError', fault });
  });

  it('report the body of a proxy where there is no Status', async () => {
    const { client } = await answering([(_, response) => response.writeHead(502).end('bad gateway')]);
    const expected = 'the server answered GET /api/v1/namespaces/a%20b/pods/p with 502: bad gateway';
    await expect(client.get(pod)).rejects.toMatchObject({ code: 502, message: expected });
  });

  it('end with the reason of their signal', async () => {
    const reason = new Error('no longer wanted');
    const controller = new AbortController();
    const { client } = await answering([() => controller.abort(reason)]);
    await expect(client.get(pod, { signal: controller.signal })).rejects.toBe(reason);
    await expect(client.get(pod, { signal: controller.signal })).rejects.toBe(reason);
  });

  it('fail when the server is unreachable or the client is closed', async () => {
    const client = clientFor({ server: 'http://127.0.0.1:1' });
    await expect(client.get(pod)).rejects.toMatchObject({ fault: 'connect' });
    await client.close();
    await expect(client.get(pod)).rejects.toThrow('the client is closed');
  });
});

describe('watches', () => {
  const stream =
    (...chunks: string[]): Respond =>
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      for (const chunk of chunks) response.write(chunk);
      response.end();
    };
  const event = (name: string): string =>
    `${JSON.stringify({ type: 'ADDED', object: { ...object, metadata: { name } } })}\n`;
  const names = async (client: KubeClient): Promise<string[]> => {
    const seen: string[] = [];
    for await (const { object } of client.watch(pod)) seen.push(object.metadata.name!);
    return seen;
  };

  it('join events that the network split and drop one that is incomplete', async () => {
    const text = event('ä') + event('b');
    const bytes = Buffer.from(text);
    const { client } = await answering([
      (_, response) => {
        for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
        response.end(event('c').slice(0, 20));
      },
    ]);
    expect(await names(client)).toEqual(['ä', 'b']);
  });

  it.each([
    [
      stream(
        event('a'),
        '{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}}\n',
      ),
      { code: 410 },
    ],
    [stream('nonsense\n'), { fault: 'malformed' }],
    [stream('{"type":"ODD","object":{}}\n'), { fault: 'malformed' }],
    [stream(`{"type":"ADDED","object":{"a":"${'x'.repeat(2000)}"}}`), { fault: 'too-large' }],
    [
      json(403, { kind: 'Status', code: 403, reason: 'Forbidden', message: 'no' }),
      { code: 403, reason: 'Forbidden' },
    ],
  ])('throw what ends them abnormally: %#', async (answer, expected) => {
    const { client } = await answering([answer], { maxBodyBytes: 1000 });
    await expect(names(client)).rejects.toMatchObject(expected);
  });

  it('do not block calls, however many there are', async () => {
    const open: Respond = (request, response) => {
      if (request.url!.includes('watch')) response.writeHead(200).flushHeaders();
      else json(200, object)(request, response);
    };
    const { client } = await answering([open], { connections: 1 });
    const controller = new AbortController();
    const watches = Array.from({ length: 5 }, () => client.watch(pod, { signal: controller.signal }).next());
    expect((await client.get(pod)).kind).toBe('Pod');
    controller.abort(new Error('over'));
    expect(await Promise.all(watches.map((watch) => watch.catch(String)))).toEqual(
      Array(5).fill('Error: over'),
    );
  });
});

describe('TLS', () => {
  const authority = (commonName: string) => ({ ...createCa(commonName, 1), commonName });

  async function secured(options: object = {}): Promise<{ server: string; ca: string }> {
    const ca = authority('servers');
    const leaf = createLeaf(ca, {
      subject: { commonName: 'server' },
      usage: 'server',
      days: 1,
      hosts: ['other.example.com'],
    });
    const server = createTlsServer(
      { cert: leaf.certificate, key: leaf.key, ...options },
      (request, response) => {
        const peer = (
          request.socket as unknown as { getPeerCertificate(): { subject?: { CN?: string } } }
        ).getPeerCertificate();
        json(200, { ...object, peer: peer.subject?.CN ?? null })(request, response);
      },
    );
    return { server: `https://127.0.0.1:${await listen(server as unknown as Server)}`, ca: ca.certificate };
  }

  it('is verified, by the name in the kubeconfig, unless that disables it', async () => {
    const { server, ca } = await secured();
    const get = (tls: ClusterAccess['tls']): Promise<unknown> => clientFor({ server, tls }).get(pod);
    await expect(get({ insecure: false })).rejects.toMatchObject({ fault: 'tls' });
    await expect(get({ insecure: false, ca: { pem: ca } })).rejects.toMatchObject({ fault: 'tls' });
    await expect(
      get({ insecure: false, ca: { pem: ca }, serverName: 'other.example.com' }),
    ).resolves.toMatchObject({ kind: 'Pod' });
    await expect(get({ insecure: true })).resolves.toMatchObject({ kind: 'Pod' });
  });

  it('uses the client certificate that is currently in the file', async () => {
    const folder = temporaryFolder(onTestFinished);
    const clients = authority('clients');
    const { server } = await secured({ requestCert: true, ca: clients.certificate });
    const write = async (name: string): Promise<void> => {
      const leaf = createLeaf(clients, { subject: { commonName: name }, usage: 'client', days: 1 });
      await writeFile(join(folder, 'cert'), leaf.certificate);
      await writeFile(join(folder, 'key'), leaf.key);
    };
    await write('first');
    const clock = new FakeClock();
    const clientCertificate = {
      certificate: { file: join(folder, 'cert') },
      key: { file: join(folder, 'key') },
    };
    const client = clientFor({ server, tls: { insecure: true, clientCertificate } }, { clock });
    expect(await client.get(pod)).toMatchObject({ peer: 'first' });
    await write('second');
    await clock.pass(300_000);
    expect(await client.get(pod)).toMatchObject({ peer: 'second' });
  });

  it('works through a proxy', async () => {
    const { server, ca } = await secured();
    const asked: string[] = [];
    const proxy = createServer();
    proxy.on('connect', (request, socket) => {
      asked.push(request.url!);
      const upstream = connect(Number(new URL(server).port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
      for (const end of [upstream, socket]) end.on('error', () => undefined);
    });
    const proxyUrl = `http://127.0.0.1:${await listen(proxy)}`;
    const client = clientFor({
      server,
      proxyUrl,
      tls: { insecure: false, ca: { pem: ca }, serverName: 'other.example.com' },
    });
    expect(await client.get(pod)).toMatchObject({ kind: 'Pod' });
    expect(asked).toEqual([new URL(server).host]);
  });
});
