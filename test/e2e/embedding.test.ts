// The server embedded in another program, as in tests: from the package, many in one process, leaving nothing
// behind when closed.
import { type ClientHttp2Stream, connect } from 'node:http2';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eventually } from '@instar/testing';
import { ApiClient, type ApiObject } from '@instar/testing/api';
import { startServer } from 'instar';
import { Agent, fetch } from 'undici';
import { describe, expect, it } from 'vitest';

type Embedded = Awaited<ReturnType<typeof startServer>>;

const accessTo = (server: Embedded) => ({
  url: server.url,
  ca: server.caCertificate,
  token: server.adminToken,
});
const SECRETS = '/api/v1/namespaces/default/secrets';

/** The resources that keep a process alive. */
const openResources = (): string[] =>
  process.getActiveResourcesInfo().filter((name) => /TCP|TLS|Timeout|Pipe|FSEvent/.test(name));

async function useOverHttp1(server: Embedded, name: string): Promise<void> {
  const client = new ApiClient(accessTo(server));
  expect((await client.send('POST', SECRETS, { metadata: { name } })).status).toBe(201);
  const { body } = await client.send('GET', SECRETS);
  expect((body.items as ApiObject[]).map(({ metadata }) => metadata.name)).toEqual([name]);
  await client.close();
}

function firstLine(stream: ClientHttp2Stream): Promise<string> {
  let text = '';
  return new Promise((resolve) => {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
  });
}

describe('startServer', () => {
  it('serves over HTTP/1.1 and HTTP/2', async () => {
    const server = await startServer({ storage: 'memory:' });
    await useOverHttp1(server, 'one');
    const session = connect(server.url, { ca: server.caCertificate });
    const stream = session.request({
      ':path': `${SECRETS}/one`,
      authorization: `Bearer ${server.adminToken}`,
    });
    const status = await new Promise((resolve) =>
      stream.once('response', (headers) => resolve(headers[':status'])),
    );
    let text = '';
    for await (const chunk of stream.setEncoding('utf8')) text += chunk;
    expect([status, (JSON.parse(text) as { metadata: { name: string } }).metadata.name]).toEqual([
      200,
      'one',
    ]);
    session.close();
    await server.close();
  });

  it('serves hundreds of watches over one connection of HTTP/2', async () => {
    const server = await startServer({ storage: 'memory:' });
    const client = new ApiClient(accessTo(server));
    const session = connect(server.url, { ca: server.caCertificate });
    const headers = { ':path': '/api/v1/secrets?watch=1', authorization: `Bearer ${server.adminToken}` };
    const streams = Array.from({ length: 300 }, () => session.request(headers));
    await Promise.all(streams.map((stream) => new Promise((resolve) => stream.once('response', resolve))));
    const events = streams.map(firstLine);
    await client.send('POST', SECRETS, { metadata: { name: 'seen' } });
    const names = (await Promise.all(events)).map(
      (line) => (JSON.parse(line) as { object: { metadata: { name: string } } }).object.metadata.name,
    );
    expect(new Set(names)).toEqual(new Set(['seen']));
    const ended = streams.map((stream) => new Promise((resolve) => stream.resume().once('close', resolve)));
    await client.close();
    await server.close();
    await Promise.all(ended);
    session.close();
  });

  it('can be used with fetch and the kubeconfig that it returns', async () => {
    const server = await startServer({ storage: 'memory:' });
    const dispatcher = new Agent({ connect: { ca: server.caCertificate }, allowH2: true });
    const headers = { authorization: `Bearer ${server.adminToken}` };
    const response = await fetch(`${server.url}/version`, { dispatcher, headers });
    expect(await response.json()).toMatchObject({ major: '1', minor: '36' });
    expect(server.kubeconfig()).toContain(`server: ${server.url}`);
    await dispatcher.close();
    await server.close();
  });

  it('starts repeatedly, each time with its own state', async () => {
    for (let round = 0; round < 3; round++) {
      const server = await startServer();
      await useOverHttp1(server, `round-${round}`);
      await server.close();
    }
  });

  it('runs twenty separate servers in one process without leaving anything behind', {
    timeout: 60_000,
  }, async () => {
    const before = openResources().length;
    const listeners = process.eventNames().map((name) => [name, process.listenerCount(name)]);
    const servers = await Promise.all(Array.from({ length: 20 }, () => startServer({ storage: 'memory:' })));
    expect(new Set(servers.map(({ url }) => url)).size).toBe(20);
    await Promise.all(servers.map((server, at) => useOverHttp1(server, `of-${at}`)));
    await Promise.all(servers.map((server) => server.close()));
    await eventually('all sockets and timers to be closed', () => openResources().length <= before, {
      state: openResources,
    });
    expect(process.eventNames().map((name) => [name, process.listenerCount(name)])).toEqual(listeners);
    for (const { url } of servers) await expect(fetch(`${url}/livez`)).rejects.toThrow();
  });

  it('ends watches and refuses connections once closed, even if it is closed twice', async () => {
    const server = await startServer({ storage: 'memory:' });
    const client = new ApiClient(accessTo(server));
    const watch = client.watch('/api/v1/secrets?watch=1');
    const ended = watch.next();
    await client.send('GET', '/api/v1/namespaces');
    await server.close();
    expect((await ended).done).toBe(true);
    await server.close();
    await expect(client.send('GET', '/version')).rejects.toThrow();
    await client.close();
  });

  it('can be garbage-collected once closed', { timeout: 60_000 }, async () => {
    const { collect, heapUsed } = garbage();
    const use = async (): Promise<void> => {
      const server = await startServer({ storage: 'memory:' });
      const client = new ApiClient(accessTo(server));
      const fill = 'x'.repeat(100_000);
      for (let at = 0; at < 20; at++)
        await client.send('POST', SECRETS, { metadata: { name: `m${at}` }, data: { fill } });
      await client.close();
      await server.close();
    };
    for (let round = 0; round < 3; round++) await use();
    await collect();
    const before = heapUsed();
    for (let round = 0; round < 10; round++) await use();
    await collect();
    // Each server held 2 MB of objects; what ten of them leave must be far less than that of one.
    expect(heapUsed() - before).toBeLessThan(4_000_000);
  });

  it('rejects with the reason if the storage or the port cannot be used', async () => {
    await expect(startServer({ storage: 'paper:' })).rejects.toThrow(/scheme/);
    const server = await startServer({ storage: 'memory:' });
    await expect(startServer({ storage: 'memory:', port: server.port })).rejects.toThrow(
      /EADDRINUSE|in use|taken/,
    );
    await server.close();
  });
});

function garbage(): { collect: () => Promise<void>; heapUsed: () => number } {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const collect = async (): Promise<void> => {
    for (let round = 0; round < 4; round++) {
      gc();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return { collect, heapUsed: () => process.memoryUsage().heapUsed + process.memoryUsage().external };
}
