// Clients that are broken or hostile. Each attack is bounded in time, connections and bytes. Where an answer
// is defined, it must be that; where the connection may simply be closed, anything but silence of the server
// towards others is fine, which the good clients notice.
import http2 from 'node:http2';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { CRDS, GADGETS, MAPS } from './definitions.mjs';

const MIB = 1024 ** 2;
/** Nothing here needs longer than this for an answer. */
const ANSWER_MS = 70_000;

/** A raw connection over TLS; errors are what hostile clients get. */
function connectTls({ port, ca }, options = {}) {
  const underlying = net.connect(port, '127.0.0.1');
  underlying.on('error', () => undefined);
  const socket = tls.connect({ socket: underlying, ca, servername: 'localhost', ...options });
  socket.on('error', () => undefined);
  socket.underlying = underlying;
  return new Promise((resolve) => {
    socket.once('secureConnect', () => resolve(socket));
    socket.once('close', () => resolve(socket));
  });
}

/** Ends a connection over TLS with a TCP reset. */
function reset(socket) {
  socket.underlying.resetAndDestroy();
  socket.destroy();
}

function connectTcp({ port }) {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket));
    socket.once('close', () => resolve(socket));
  });
}

/** The status of the answer to a raw request over HTTP/1.1; 0 if the connection is closed without one. */
async function rawStatus(access, head, body = '') {
  const socket = await connectTls(access, { ALPNProtocols: ['http/1.1'] });
  return new Promise((resolve) => {
    let text = '';
    const timer = setTimeout(() => socket.destroy(), ANSWER_MS);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const status = /^HTTP\/1\.1 (\d+)/.exec(text);
      if (status === null) return;
      resolve(Number(status[1]));
      socket.destroy();
    });
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(0);
    });
    socket.write(`${head}\r\n\r\n`);
    socket.write(body);
  });
}

const headOf = ({ token }, method, path, headers = []) =>
  [`${method} ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${token}`, ...headers].join(
    '\r\n',
  );

const withBody = (access, method, path, body, type = 'application/json') =>
  rawStatus(
    access,
    headOf(access, method, path, [`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(body)}`]),
    body,
  );

const openSession = (access) =>
  new Promise((resolve) => {
    const session = http2.connect(access.url, { ca: access.ca });
    session.on('error', () => undefined);
    session.once('connect', () => resolve(session));
    session.once('close', () => resolve(session));
  });

/** Keeps connections open for a while, at most until the end of the soak. */
async function hold({ pause }, connections, milliseconds) {
  const open = await Promise.all(connections);
  await pause(milliseconds);
  for (const connection of open) connection.destroy();
}

const times = (count, make) => Array.from({ length: count }, make);

/** Attacks on any server over TLS. */
const ON_CONNECTIONS = {
  'silent TCP': (access, random) =>
    hold(
      access,
      times(10, () => connectTcp(access)),
      random.between(500, 14_000),
    ),
  'half a TLS handshake': async (access, random) => {
    const hello = Buffer.from('16030100c8010000c40303', 'hex');
    const sockets = times(10, async () => {
      const socket = await connectTcp(access);
      socket.write(hello);
      return socket;
    });
    await hold(access, sockets, random.between(500, 14_000));
  },
  'silence after the handshake': (access, random) =>
    hold(
      access,
      times(5, () => connectTls(access)),
      random.between(500, 14_000),
    ),
  'plain text on the TLS port': (access) =>
    hold(
      access,
      times(3, async () => {
        const socket = await connectTcp(access);
        socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
        return socket;
      }),
      300,
    ),
  'idle HTTP/2 sessions': (access, random) =>
    hold(
      access,
      times(10, () => openSession(access)),
      random.between(1_000, 20_000),
    ),
  'a flood of RST_STREAM': async (access) => {
    const session = await openSession(access);
    for (let round = 0; round < 20 && !session.destroyed; round++) {
      for (let at = 0; at < 50 && !session.destroyed; at++) {
        const stream = session.request({ ':path': MAPS, authorization: `Bearer ${access.token ?? ''}` });
        stream.on('error', () => undefined);
        stream.close(http2.constants.NGHTTP2_CANCEL);
      }
      await sleep(10);
    }
    session.destroy();
  },
  'garbage after the handshake': async (access, random) => {
    const socket = await connectTls(access);
    socket.write(Buffer.from(times(2_000, () => random.between(0, 255))));
    await hold(access, [socket], 300);
  },
};

/** Attacks on the API. Those that return statuses are compared with the ones allowed. */
const ON_THE_API = {
  ...ON_CONNECTIONS,
  'unfinished bodies (HTTP/1.1)': async (access, random) => {
    const query = random.pick(['', '?timeout=1s']);
    const head = headOf(access, 'POST', MAPS + query, [
      'Content-Type: application/json',
      'Content-Length: 100000',
    ]);
    const sockets = times(8, async () => {
      const socket = await connectTls(access, { ALPNProtocols: ['http/1.1'] });
      socket.write(`${head}\r\n\r\n{"metadata":{"name":"`);
      socket.resume();
      return socket;
    });
    await hold(access, sockets, random.between(200, 8_000));
  },
  'unfinished bodies (HTTP/2)': async (access, random) => {
    const session = await openSession(access);
    for (let at = 0; at < 8; at++) {
      const stream = session.request({
        ':method': 'POST',
        ':path': MAPS,
        authorization: `Bearer ${access.token}`,
        'content-type': 'application/json',
      });
      stream.on('error', () => undefined);
      stream.write('{"metadata":');
    }
    await hold(access, [session], random.between(200, 8_000));
  },
  'slow watchers': async (access, random) => {
    const sockets = times(5, async () => {
      const socket = await connectTls(access, { ALPNProtocols: ['http/1.1'] });
      socket.pause();
      socket.write(`${headOf(access, 'GET', `${MAPS}?watch=true&resourceVersion=0`)}\r\n\r\n`);
      return socket;
    });
    await hold(access, sockets, random.between(5_000, 40_000));
  },
  'aborted requests': async (access, random) => {
    for (let at = 0; at < 10; at++) {
      const socket = await connectTls(access, { ALPNProtocols: ['http/1.1'] });
      socket.write(`${headOf(access, 'GET', random.pick([MAPS, GADGETS, '/openapi/v2', CRDS]))}\r\n\r\n`);
      await sleep(random.between(0, 10));
      reset(socket);
    }
  },
  'bodies that are aborted': async (access, random) => {
    for (let at = 0; at < 5; at++) {
      const socket = await connectTls(access, { ALPNProtocols: ['http/1.1'] });
      const head = headOf(access, 'POST', MAPS, ['Content-Type: application/json', 'Content-Length: 500000']);
      socket.write(`${head}\r\n\r\n${'{"a":'.repeat(random.between(1, 5_000))}`);
      await sleep(random.between(0, 20));
      reset(socket);
    }
  },
  'bodies of 3 MiB': async (access) => ({
    status: await withBody(access, 'POST', MAPS, bigMap(3 * MIB - 1000)),
    allowed: [413, 422, 500],
  }),
  'bodies beyond 3 MiB': async (access) => ({
    status: await withBody(access, 'POST', MAPS, bigMap(3 * MIB + 1000)),
    allowed: [413, 0],
  }),
  'deep nesting': async (access) => ({
    status: await withBody(access, 'POST', GADGETS, `{"spec":${'['.repeat(200_000)}${']'.repeat(200_000)}}`),
    allowed: [400, 422],
  }),
  'invalid JSON': async (access) => ({
    status: await withBody(access, 'POST', MAPS, `{"metadata":{"name":"x"},,${'}'.repeat(1000)}`),
    allowed: [400],
  }),
  'invalid YAML': async (access) => ({
    status: await withBody(access, 'POST', MAPS, 'a: [1\nb: }{\n\t- x: &a *a\n', 'application/yaml'),
    allowed: [400],
  }),
  'oversize selectors': async (access) => {
    const selector = times(3_000, (_, at) => `k${at}!=v`).join('%2C');
    return {
      status: await rawStatus(access, headOf(access, 'GET', `${MAPS}?labelSelector=${selector}`)),
      allowed: [200],
    };
  },
  'selectors that do not fit': async (access) => ({
    status: await rawStatus(access, headOf(access, 'GET', `${MAPS}?labelSelector=${'a%2C'.repeat(30_000)}`)),
    allowed: [431, 400, 0],
  }),
  'floods of headers': async (access) => {
    const flood = times(1_500, (_, at) => `X-Flood-${at}: ${'y'.repeat(60)}`);
    return { status: await rawStatus(access, headOf(access, 'GET', MAPS, flood)), allowed: [431, 0] };
  },
  'wrong tokens': async (access) => {
    const wrong = { ...access, token: 'wrong' };
    return { status: await rawStatus(access, headOf(wrong, 'GET', MAPS)), allowed: [401] };
  },
};

/** Attacks on the webhook kit. */
const ON_THE_KIT = {
  ...ON_CONNECTIONS,
  'unfinished reviews': async (access, random) => {
    const head =
      'POST /convert HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9999';
    const sockets = times(8, async () => {
      const socket = await connectTls(access, { ALPNProtocols: ['http/1.1'] });
      socket.write(`${head}\r\n\r\n{"kind":`);
      socket.resume();
      return socket;
    });
    await hold(access, sockets, random.between(200, 8_000));
  },
  'reviews that are not reviews': async (access, random) => {
    const body = random.pick([
      '{}',
      '[',
      'null',
      `${'['.repeat(100_000)}`,
      '{"request":{"objects":[1e400]}}',
    ]);
    return { status: await withBody(access, 'POST', '/convert', body), allowed: [400, 413, 0] };
  },
};

const bigMap = (bytes) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'big', labels: { soak: 'big' } },
    data: { value: 'x'.repeat(bytes - 200) },
  });

/** Attacks one after another until the end. */
export async function attack(soak, target, random) {
  const access = { ...(target === 'kit' ? soak.kitAccess : soak.access), pause: soak.pause };
  const attacks = Object.entries(target === 'kit' ? ON_THE_KIT : ON_THE_API);
  while (!soak.isOver()) {
    const [name, run] = random.pick(attacks);
    const sort = `${target}: ${name}`;
    const began = Date.now();
    try {
      const answer = await run(access, random);
      soak.report.done(sort);
      if (answer === undefined || answer.allowed.includes(answer.status)) continue;
      const isStarved = answer.status === 0 && soak.starvation.explains(began);
      if (isStarved || (target === 'kit' && soak.webhookFaults.explain(began))) soak.report.explained(sort);
      else soak.report.fault(sort, `${answer.status}, not ${answer.allowed.join(' or ')}`);
    } catch (error) {
      soak.report.fault(sort, error.stack ?? error);
    }
    await sleep(random.between(50, 500));
  }
}

/** Connections that stay open while the programs are asked to end. */
export async function stayOpen(access, kit) {
  const unfinished = async (server, head) => {
    const socket = await connectTls(server, { ALPNProtocols: ['http/1.1'] });
    socket.write(`${head}\r\n\r\n{"kind":`);
    return socket;
  };
  const post = ['Content-Type: application/json', 'Content-Length: 9999'];
  const both = [access, kit].flatMap((server) => [
    connectTcp(server),
    connectTls(server),
    openSession(server),
  ]);
  return Promise.all([
    ...both,
    unfinished(access, headOf(access, 'POST', MAPS, post)),
    unfinished(access, headOf(access, 'GET', `${MAPS}?watch=true`)),
    unfinished(kit, headOf({ token: '' }, 'POST', '/convert', post)),
  ]);
}

/** Takes a slot for writes with a body that does not end. */
export async function takeSlot(access) {
  const socket = await connectTls(access, { ALPNProtocols: ['http/1.1'] });
  const head = headOf(access, 'POST', MAPS, ['Content-Type: application/json', 'Content-Length: 9999']);
  socket.write(`${head}\r\n\r\n{`);
  socket.resume();
  return socket;
}
