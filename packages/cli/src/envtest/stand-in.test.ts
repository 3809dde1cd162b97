import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { etcdHandler } from './etcd.ts';
import { claimStandIn, isStandIn } from './stand-in.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serving(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the etcd stand-in', () => {
  it('answers /health as a healthy etcd does', async () => {
    const answer = await fetch(`${await serving(etcdHandler())}/health`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ health: 'true', reason: '' });
  });

  it('is recognized', async () => {
    expect(await isStandIn([await serving(etcdHandler())])).toBe(true);
  });

  it('is told from a real etcd', async () => {
    const etcd = await serving((_, response) => response.end('{"etcdserver":"3.6.1","etcdcluster":"3.6.0"}'));
    expect(await isStandIn([etcd])).toBe(false);
  });

  it('is waited for until it answers', async () => {
    let asked = 0;
    const handler = etcdHandler();
    const url = await serving((request, response) =>
      ++asked < 3 ? request.socket.destroy() : handler(request, response),
    );
    expect(await isStandIn([url])).toBe(true);
  });

  it('is not looked for behind several URLs or TLS', async () => {
    const url = await serving(etcdHandler());
    expect(await isStandIn([url, url])).toBe(false);
    expect(await isStandIn([url.replace('http:', 'https:')])).toBe(false);
    expect(await isStandIn([])).toBe(false);
  });

  it('refuses a second API server with the same prefix, which would miss the data of the first', async () => {
    const url = await serving(etcdHandler());
    await claimStandIn(url, '/registry');
    await expect(claimStandIn(url, '/registry')).rejects.toThrow(/another API server has used/);
  });

  it('accepts API servers with different prefixes', async () => {
    const url = await serving(etcdHandler());
    await claimStandIn(url, '/a');
    await expect(claimStandIn(url, '/b')).resolves.toBeUndefined();
  });
});
