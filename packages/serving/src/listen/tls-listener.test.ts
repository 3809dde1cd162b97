import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { connect, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import type { Exchange } from '../exchange/exchange.ts';
import { SILENT } from '../log/log.ts';
import { createCa, createLeaf } from '../tls/certificate.ts';
import { TlsListener } from './tls-listener.ts';

let listener: TlsListener | undefined;
afterEach(() => listener?.close(0));

function leaf() {
  const ca = { ...createCa('ca', 1), commonName: 'ca' };
  const { key, certificate } = createLeaf(ca, {
    subject: { commonName: 'x' },
    usage: 'server',
    hosts: ['127.0.0.1'],
    days: 1,
  });
  return { key, cert: certificate };
}

async function agreedWith(options: object): Promise<string> {
  const socket = connect({
    host: '127.0.0.1',
    port: listener!.address.port,
    rejectUnauthorized: false,
    ...options,
  });
  await once(socket, 'secureConnect');
  const { standardName } = socket.getCipher();
  socket.destroy();
  return standardName;
}

it('prefers the fastest cipher but accepts others, also with new certificates', async () => {
  listener = await TlsListener.open({
    host: '127.0.0.1',
    port: 0,
    tls: leaf(),
    askForClientCertificate: false,
    keepAliveMs: 60_000,
    requestTimeoutMs: 60_000,
    maxHeaderBytes: 16_384,
    http2: {},
    log: SILENT,
    closesUnread: false,
    onExchange: () => {},
  });
  expect(await agreedWith({})).toBe('TLS_AES_128_GCM_SHA256');
  expect(await agreedWith({ ciphers: 'TLS_AES_256_GCM_SHA384' })).toBe('TLS_AES_256_GCM_SHA384');
  expect(await agreedWith({ maxVersion: 'TLSv1.2' })).toContain('AES');
  listener.setSecureContext(leaf());
  expect(await agreedWith({})).toBe('TLS_AES_128_GCM_SHA256');
});

/** Longer than any test may take. */
const LONG_GRACE_MS = 60_000;

describe('a connection', () => {
  const open = async (
    onExchange: (exchange: Exchange) => void = () => {},
    handshakeTimeoutMs = 200,
    lingerMs = 100,
  ): Promise<void> => {
    listener = await TlsListener.open({
      host: '127.0.0.1',
      port: 0,
      tls: leaf(),
      askForClientCertificate: false,
      keepAliveMs: 200,
      requestTimeoutMs: 60_000,
      handshakeTimeoutMs,
      lastBodiesMs: 100,
      lingerMs,
      maxHeaderBytes: 16_384,
      http2: {},
      log: SILENT,
      closesUnread: false,
      onExchange,
    });
  };
  const overTcp = (): Socket => connectTcp(listener!.address.port, '127.0.0.1').on('error', () => {});
  const connectedTcp = async (): Promise<Socket> => {
    const socket = overTcp();
    await once(socket, 'connect');
    return socket;
  };
  const overTls = async (ALPNProtocols?: string[]): Promise<TLSSocket> => {
    const socket = connect({
      host: '127.0.0.1',
      port: listener!.address.port,
      rejectUnauthorized: false,
      ...(ALPNProtocols && { ALPNProtocols }),
    });
    socket.on('error', () => {});
    await once(socket, 'secureConnect');
    return socket;
  };
  /** Sockets report their end only to those who read. */
  const closed = (socket: Socket): Promise<unknown> => once(socket.resume(), 'close');

  it('that sends nothing is closed after the handshake timeout', async () => {
    await open();
    await closed(overTcp());
  });

  it('that sends something other than TLS is closed', async () => {
    await open();
    const socket = overTcp();
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await closed(socket);
  });

  it('that sends no request after the TLS handshake is closed', { timeout: 15_000 }, async () => {
    await open();
    await closed(await overTls(['http/1.1']));
  });

  it('of HTTP/2 that sends no request is closed', async () => {
    await open();
    await closed(await overTls(['h2']));
  });

  it('of HTTP/2 that streams a response is not idle', async () => {
    await open((exchange) => {
      exchange.sendHead(200, {});
      streams.push(exchange.out);
    });
    const streams: Writable[] = [];
    const session = connectHttp2(`https://127.0.0.1:${listener!.address.port}`, {
      rejectUnauthorized: false,
    });
    const stream = session.request({ ':path': '/' });
    await once(stream, 'response');
    // Longer than a session without streams stays: another one has been opened and closed meanwhile.
    await closed(await overTls(['h2']));
    await closed(await overTls(['h2']));
    expect(session.closed).toBe(false);
    streams[0]!.end('ok');
    stream.resume();
    await once(session, 'close');
  });

  it('of HTTP/2 that is closed as idle lets a slow request finish', async () => {
    const exchanges: Exchange[] = [];
    await open((exchange) => exchanges.push(exchange));
    const session = connectHttp2(`https://127.0.0.1:${listener!.address.port}`, {
      rejectUnauthorized: false,
    });
    const stream = session.request({ ':path': '/' });
    await once(session, 'goaway');
    exchanges[0]!.send(200, {}, [Buffer.from('ok')]);
    const [headers] = await once(stream, 'response');
    expect(headers[':status']).toBe(200);
    stream.resume();
    await once(session, 'close');
  });

  it.each([
    ['that sends nothing', connectedTcp],
    ['whose TLS stands', () => overTls(['http/1.1'])],
    ['of HTTP/2', () => overTls(['h2'])],
  ])('%s does not keep the listener from closing', async (_, connection) => {
    await open(undefined, LONG_GRACE_MS);
    const socket = await connection();
    const ended = closed(socket);
    await listener!.close(LONG_GRACE_MS);
    await ended;
  });

  const POST = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n';

  it('whose request has an unfinished body does not use up the grace', async () => {
    const exchanges: Exchange[] = [];
    await open((exchange) => exchanges.push(exchange));
    (await overTls(['http/1.1'])).write(`${POST}{`);
    await expect.poll(() => exchanges.length).toBe(1);
    await listener!.close(LONG_GRACE_MS);
  });

  it('of HTTP/2 whose request has an unfinished body does not use up the grace', async () => {
    const exchanges: Exchange[] = [];
    await open((exchange) => exchanges.push(exchange));
    const address = `https://127.0.0.1:${listener!.address.port}`;
    const session = connectHttp2(address, { rejectUnauthorized: false }).on('error', () => {});
    const stream = session.request({ ':method': 'POST', ':path': '/' });
    stream.on('error', () => {}).write('{');
    await expect.poll(() => exchanges.length).toBe(1);
    await listener!.close(LONG_GRACE_MS);
  });

  /** A client that does not read does not notice that its connection was closed. */
  const openConnections = (): number => listener!.connections;

  it('of HTTP/2 that is idle and whose client never closes it is freed', async () => {
    await open();
    const socket = (await overTls(['h2'])).pause();
    await expect.poll(openConnections, { timeout: 10_000 }).toBe(0);
    socket.destroy();
  });

  it('that was refused and whose client never closes it is freed', async () => {
    await open(undefined, LONG_GRACE_MS);
    const socket = (await overTls(['http/1.1'])).pause();
    socket.write('this is not HTTP\r\n\r\n');
    await expect.poll(openConnections, { timeout: 10_000 }).toBe(0);
    socket.destroy();
  });

  it('of HTTP/2 whose client never closes it does not use up the grace', async () => {
    await open(undefined, LONG_GRACE_MS, LONG_GRACE_MS);
    (await overTls(['h2'])).pause();
    await listener!.close(LONG_GRACE_MS);
  });

  it('with a part of its next request does not use up the grace', async () => {
    await open((exchange) => exchange.send(200, {}, [Buffer.from('ok')]), LONG_GRACE_MS);
    const socket = await overTls(['http/1.1']);
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(socket, 'data');
    socket.write('GET / HTTP/1.1\r\nhost:');
    await listener!.close(LONG_GRACE_MS);
  });

  it('whose request is being worked on gets its answer while the listener closes', async () => {
    const exchanges: Exchange[] = [];
    await open((exchange) => {
      exchange.body.resume();
      exchanges.push(exchange);
    });
    const [working, stalled] = [await overTls(['http/1.1']), await overTls(['http/1.1'])];
    working.write(`${POST}{}`);
    await expect.poll(() => exchanges.length).toBe(1);
    stalled.write(`${POST}{`);
    await expect.poll(() => exchanges.length).toBe(2);
    const closing = listener!.close(LONG_GRACE_MS);
    // The other connection is closed for its body: this one could have been too.
    await closed(stalled);
    exchanges[0]!.send(200, {}, [Buffer.from('ok')]);
    const [bytes] = await once(working, 'data');
    expect(String(bytes)).toMatch(/^HTTP\/1\.1 200/);
    await closing;
  });
});
