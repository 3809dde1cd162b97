import { once } from 'node:events';
import { type AddressInfo, connect, createServer as createPlainServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { createCa, createLeaf, SpareMemory } from '@instar/serving';
import { eventually } from '@instar/testing';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ConnectionPool, type PoolOptions } from './connection-pool.ts';

const ca = { ...createCa('ca', 1), commonName: 'ca' };
let tls: { key: string; cert: string };
const memory = new SpareMemory();
let server: Server;
let pool: ConnectionPool;
/** All connections that were made, and the ones that are open. */
let made = 0;
const open = new Set<Socket>();
/** Handles the n-th request, n from 1, with this body. */
let answer: (socket: TLSSocket, n: number, body: string) => void;

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
  made = 0;
  let requests = 0;
  server = createServer(tls, (socket) => {
    made++;
    open.add(socket);
    socket.once('close', () => open.delete(socket)).on('error', () => {});
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      const [head = '', body = ''] = text.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/.exec(head)?.[1]);
      if (body.length !== length) return;
      text = '';
      answer(socket, ++requests, body);
    });
  });
  answer = (socket, _, body) =>
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`, 'latin1');
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  pool.destroy(new Error('the test is over'));
  for (const socket of open) socket.destroy();
  server.close();
  await once(server, 'close');
});

function newPool(options: Partial<PoolOptions> = {}): void {
  const { port } = server.address() as AddressInfo;
  const target = () => ({ host: '127.0.0.1', port, ca: ca.certificate });
  pool = new ConnectionPool({
    maxConnections: 3,
    connectTimeoutMs: 2_000,
    idleMs: 10_000,
    target,
    ...options,
  });
}

const request = (...pieces: (string | Uint8Array)[]) => ({
  head: 'POST / HTTP/1.1\r\nhost: x\r\n',
  pieces,
  maxAnswerBytes: 10_000_000,
  memory,
});
const send = async (...pieces: (string | Uint8Array)[]) => {
  const { body, release } = await pool.send(request(...pieces)).response;
  const text = body.toString('latin1');
  release();
  return text;
};

describe('connections', () => {
  it('transport bodies of all sizes, serially', async () => {
    newPool({ maxConnections: 1 });
    for (const size of [0, 1, 70_000, 3_000_000, 5, 900_000]) {
      const body = `${'x'.repeat(size)}|`;
      expect(await send(Buffer.from(body), 'é')).toBe(Buffer.from(`${body}é`).toString('latin1'));
    }
    expect(made).toBe(1);
  });

  it('are limited in number without mixing up responses', async () => {
    newPool();
    const bodies = Array.from({ length: 50 }, (_, i) => `body ${i} ${'x'.repeat(i * 1000)}`);
    expect(await Promise.all(bodies.map((body) => send(body)))).toEqual(bodies);
    expect(made).toBe(3);
  });

  it('are limited again after reused ones have broken while requests wait', async () => {
    newPool();
    const [good, kept] = [answer, new Set<Socket>()];
    answer = (socket, n, body) =>
      kept.has(socket) ? socket.destroy() : void sleep(20).then(() => good(socket, n, body));
    await Promise.all(Array.from({ length: 3 }, () => send('x')));
    for (const socket of open) kept.add(socket);
    await Promise.all(Array.from({ length: 30 }, (_, i) => send(`${i}`)));
    await eventually('at most 3 connections to be open', () => open.size <= 3);
  });

  it('are closed when they are idle', async () => {
    newPool({ idleMs: 40 });
    await send('x');
    await eventually('no connection to be open', () => open.size === 0);
    expect(await send('y')).toBe('y');
    expect(made).toBe(2);
  });

  it('are not used longer than the webhook says, nor after "close"', async () => {
    newPool();
    answer = (socket, n) =>
      socket.write(
        `HTTP/1.1 200 OK\r\n${n === 1 ? 'keep-alive: timeout=1' : 'connection: close'}\r\ncontent-length: 0\r\n\r\n`,
      );
    for (let i = 0; i < 3; i++) await send('x');
    expect(made).toBe(3);
  });

  it('finish requests in flight when the pool is closed', async () => {
    newPool({ maxConnections: 1 });
    answer = (socket) =>
      void sleep(30).then(() => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n!'));
    const sent = [send('a'), send('b')];
    pool.close();
    expect(await Promise.all(sent)).toEqual(['!', '!']);
    await eventually('no connection to be open', () => open.size === 0);
  });
});

describe('a request', () => {
  it('is sent over a new connection if a reused one breaks before the response', async () => {
    newPool({ maxConnections: 2 });
    await Promise.all([send('a'), send('b')]);
    const good = answer;
    answer = (socket, n, body) => (n <= 4 ? socket.destroy() : good(socket, n, body));
    // Both are broken; a second attempt that took the other one would fail, too.
    expect(await Promise.all([send('c'), send('d')])).toEqual(['c', 'd']);
    expect(made).toBe(4);
  });

  it('is not retried if a new connection breaks, or within a response', async () => {
    newPool();
    let asked = 0;
    answer = (socket) => {
      asked++;
      socket.destroy();
    };
    await expect(send('a')).rejects.toMatchObject({ name: 'BrokenConnection' });
    expect(asked).toBe(1);
    answer = (socket) => {
      if (++asked === 2) socket.write('HTTP/1.1 204 \r\n\r\n');
      else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx');
    };
    await send('b');
    await expect(send('c')).rejects.toThrow('unexpected EOF');
    expect(asked).toBe(3);
  });

  it('is not retried if its response breaks off in the head, or after an informational one', async () => {
    for (const start of ['H', 'HTTP/1.1 200 OK\r\ncontent-', 'HTTP/1.1 100 Continue\r\n\r\n']) {
      newPool();
      let asked = 0;
      answer = (socket) => (++asked === 1 ? socket.write('HTTP/1.1 204 \r\n\r\n') : socket.end(start));
      await send('a');
      await expect(send('b')).rejects.toMatchObject({ name: 'UnfinishedAnswer', message: 'unexpected EOF' });
      expect(asked).toBe(2);
    }
  });

  it('is not sent when the pool is destroyed while another connection is made for it', async () => {
    const { port } = server.address() as AddressInfo;
    let targets = 0;
    let resume = (): void => {};
    const target = async () => {
      if (++targets > 1) await new Promise<void>((resolve) => (resume = resolve));
      return { host: '127.0.0.1', port, ca: ca.certificate };
    };
    newPool({ target });
    await send('a');
    let asked = 0;
    answer = (socket) => (++asked === 1 ? socket.destroy() : socket.write('HTTP/1.1 204 \r\n\r\n'));
    const sent = send('b');
    await eventually('another target to be asked for', () => targets === 2);
    pool.destroy(new Error('destroyed'));
    await expect(sent).rejects.toThrow('destroyed');
    resume();
    // A connection of this pool would arrive before that of another one.
    newPool();
    await send('c');
    expect([made, asked]).toEqual([2, 2]);
  });

  it('leaves no connection that is still being made when the pool is destroyed', async () => {
    const silent = createPlainServer((socket) => {
      open.add(
        socket
          .once('close', () => open.delete(socket))
          .on('error', () => {})
          .resume(),
      );
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    newPool({
      connectTimeoutMs: 60_000,
      target: () => ({ host: '127.0.0.1', port: (silent.address() as AddressInfo).port }),
    });
    const sent = send('a');
    await eventually('1 connection to be open', () => open.size === 1);
    pool.destroy(new Error('destroyed'));
    await expect(sent).rejects.toThrow('destroyed');
    await eventually('no connection to be open', () => open.size === 0);
    silent.close();
  });

  it('can be aborted while it waits for a connection or for its response', async () => {
    newPool({ maxConnections: 1 });
    let asked = 0;
    answer = () => asked++;
    const [first, second] = [pool.send(request('a')), pool.send(request('b'))];
    pool.abort(second, new Error('second'));
    await expect(second.response).rejects.toThrow('second');
    await eventually('the request to arrive', () => asked === 1);
    expect(first.hasHead).toBe(false);
    pool.abort(first, new Error('first'));
    await expect(first.response).rejects.toThrow('first');
    answer = (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n!');
    expect(await send('c')).toBe('!');
  });

  it('that fails on an invalid response does not leave its connection to the next one', async () => {
    newPool();
    const good = answer;
    answer = (socket, n, body) => (n === 1 ? socket.write('garbage\r\n\r\n') : good(socket, n, body));
    await expect(send('a')).rejects.toThrow('malformed HTTP response "garbage');
    expect(await send('b')).toBe('b');
    expect(made).toBe(2);
  });

  it('ignores a response that was sent before the request', async () => {
    newPool();
    answer = (socket) =>
      socket.write(
        'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n1HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n2',
      );
    expect([await send('a'), await send('b')]).toEqual(['1', '1']);
    expect(made).toBe(2);
  });

  it('fails if the webhook does not listen, is not trusted, or does not finish the handshake', async () => {
    const { port } = server.address() as AddressInfo;
    newPool({ target: () => ({ host: '127.0.0.1', port: 1 }) });
    await expect(send('a')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    newPool({ target: () => ({ host: '127.0.0.1', port }) });
    await expect(send('a')).rejects.toMatchObject({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
    const silent = createPlainServer((socket) => open.add(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    newPool({
      connectTimeoutMs: 30,
      target: () => ({ host: '127.0.0.1', port: (silent.address() as AddressInfo).port }),
    });
    await expect(send('a')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    for (const socket of open) socket.destroy();
    silent.close();
  });
});

describe('a connection that hangs before it can be used', () => {
  /** Forwards what it receives, for the connections that are let through. */
  let front: ReturnType<typeof createPlainServer>;
  /** All connections that were accepted, in order; each can be let through later. */
  let came: { letThrough(): void }[];
  /** Whether the n-th connection, n from 1, is let through immediately. */
  let passes: (n: number) => boolean;

  beforeEach(async () => {
    came = [];
    front = createPlainServer((socket) => {
      open.add(socket.once('close', () => open.delete(socket)).on('error', () => {}));
      const letThrough = (): void => {
        const behind = connect((server.address() as AddressInfo).port, '127.0.0.1');
        open.add(behind.once('close', () => open.delete(behind)).on('error', () => socket.destroy()));
        socket.pipe(behind).pipe(socket);
      };
      came.push({ letThrough });
      if (passes(came.length)) letThrough();
    }).listen(0, '127.0.0.1');
    await once(front, 'listening');
  });

  afterEach(() => void front.close());

  const frontPool = (options: Partial<PoolOptions> = {}): void => {
    const target = () => ({
      host: '127.0.0.1',
      port: (front.address() as AddressInfo).port,
      servername: '',
      ca: ca.certificate,
    });
    newPool({ connectTimeoutMs: 60_000, target, ...options });
  };
  const sendInVain = async (body: string) => {
    const before = came.length;
    const sent = pool.send(request(body));
    await eventually('a connection to come', () => came.length === before + 1);
    return () => {
      pool.abort(sent, new Error(`${body} in vain`));
      return expect(sent.response).rejects.toThrow(`${body} in vain`);
    };
  };

  it('does not keep the next request waiting', async () => {
    passes = (n) => n > 1;
    frontPool();
    await (await sendInVain('a'))();
    expect(await send('b')).toBe('b');
    expect(came.length).toBe(2);
  });

  it('is closed if its slot is needed, the oldest first', async () => {
    passes = (n) => n > 2;
    frontPool({ maxConnections: 2 });
    const giveUp = await sendInVain('a');
    const others = ['b', 'c', 'd'].map((body) => send(body));
    await eventually('a connection to come', () => came.length === 2);
    await giveUp();
    expect(await Promise.all(others)).toEqual(['b', 'c', 'd']);
    expect(came.length).toBe(3);
  });

  it('is used if it opens later: a handshake may take longer than the timeout of requests', async () => {
    passes = () => false;
    frontPool();
    await (await sendInVain('a'))();
    const b = send('b');
    await eventually('a connection to come', () => came.length === 2);
    came[0]!.letThrough();
    expect(await b).toBe('b');
  });

  it('does not fail a request that came after it, whether it was abandoned or not needed', async () => {
    const { port } = server.address() as AddressInfo;
    const good = { host: '127.0.0.1', port, ca: ca.certificate };
    const asked: ((target: typeof good) => void)[] = [];
    newPool({ maxConnections: 2, target: () => new Promise((resolve) => asked.push(resolve)) });
    const refused = { ...good, port: 1 };
    const inVain = pool.send(request('in vain'));
    pool.abort(inVain, new Error('in vain'));
    await expect(inVain.response).rejects.toThrow('in vain');
    const a = send('a');
    asked[0]!(refused);
    await sleep(30);
    asked[1]!(good);
    expect(await a).toBe('a');

    // The only connection is used for b, then for c, for which another one was begun; d uses that one.
    const answers: (() => void)[] = [];
    const echo = answer;
    answer = (socket, n, body) => answers.push(() => echo(socket, n, body));
    const [b, c] = [send('b'), send('c')];
    await eventually('request 1 to arrive', () => answers.length === 1);
    answers[0]!();
    expect(await b).toBe('b');
    await eventually('request 2 to arrive', () => answers.length === 2);
    const d = send('d');
    expect(asked.length).toBe(3);
    asked[2]!(refused);
    await eventually('target 4 to be asked for', () => asked.length === 4);
    asked[3]!(good);
    await eventually('request 3 to arrive', () => answers.length === 3);
    for (const give of answers.slice(1)) give();
    expect([await c, await d]).toEqual(['c', 'd']);
  });
});
