// The whole server over real TLS sockets, in both protocols, with handlers in place of the resources.
import { writeFile } from 'node:fs/promises';
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from 'node:http2';
import { Agent, request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createCa, createLeaf } from '@instar/serving';
import type { Store } from '@instar/store';
import { eventually, temporaryFolder } from '@instar/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ApiRequest, ByteSink, Handler } from '../wire/exchange.ts';
import { jsonResponse } from '../wire/responses.ts';
import { type ApiServer, startApiServer } from './api-server.ts';
import { ALWAYS_ALLOW } from './auth/authorizer.ts';
import { openSecurity } from './auth/security.ts';
import { createServerMetrics } from './metrics/server-metrics.ts';
import { resolveOptions, type ServerOptions } from './options.ts';

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}
type Ask = (
  method: string,
  path: string,
  headers?: Record<string, string | string[]>,
  body?: Buffer,
) => Promise<Answer>;

const noStore = {} as Store;

async function start(handleResource: Handler, more: Partial<ServerOptions> = {}): Promise<ApiServer> {
  const options = resolveOptions({ storage: noStore, authorizationModes: ['AlwaysAllow'], ...more });
  const security = await openSecurity(options, ALWAYS_ALLOW);
  return startApiServer(options, {
    security,
    metrics: createServerMetrics(),
    handleResource,
    routes: {},
    healthChecks: [],
  });
}

function overHttp1(server: ApiServer, agent: Agent): Ask {
  return (method, path, headers = {}, body) =>
    new Promise((resolve, reject) => {
      const all = { authorization: `Bearer ${server.adminToken}`, ...headers };
      const request = httpsRequest(
        new URL(path, server.url),
        { method, agent, headers: all, ca: server.caCertificate },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
          );
          response.on('error', reject);
        },
      );
      request.on('error', reject);
      request.end(body);
    });
}

function overHttp2(server: ApiServer, session: ClientHttp2Session): Ask {
  return (method, path, headers = {}, body) =>
    new Promise((resolve, reject) => {
      const all: OutgoingHttpHeaders = {
        ':method': method,
        ':path': path,
        authorization: `Bearer ${server.adminToken}`,
        ...headers,
      };
      const stream = session.request(all, { endStream: body === undefined });
      const chunks: Buffer[] = [];
      let answer: Answer | undefined;
      stream.on('response', (head) => {
        answer = { status: head[':status']!, headers: head as Answer['headers'], body: Buffer.alloc(0) };
      });
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('close', () =>
        answer === undefined
          ? reject(new Error('no answer'))
          : resolve({ ...answer, body: Buffer.concat(chunks) }),
      );
      stream.on('error', (error) => answer ?? reject(error));
      if (body !== undefined) stream.end(body);
    });
}

/** Answers by name, so that one server serves all tests. */
const sinks: ByteSink[] = [];
const stopped: string[] = [];
const handleResource: Handler = async (request) => {
  if (request.info.verb === 'watch')
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: { start: watchBody(request) },
    };
  if (request.info.name === 'large')
    return { status: 200, headers: {}, body: new Array(300).fill(Buffer.alloc(1000, 'x')) };
  if (request.info.name === 'bug') throw new Error('a secret of ours');
  if (request.info.verb === 'create')
    return jsonResponse(201, { bytes: (await request.readBody()).byteLength });
  return jsonResponse(200, { info: request.info, user: request.user });
};
function watchBody(request: ApiRequest): (sink: ByteSink) => () => void {
  return (sink) => {
    sinks.push(sink);
    sink.write(Buffer.from('{"type":"ADDED"}\n'));
    return () => stopped.push(request.info.resource);
  };
}

const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';
const json = (answer: Answer) => JSON.parse(answer.body.toString());

describe.each(['HTTP/1.1', 'HTTP/2'])('the server over %s', (protocol) => {
  let server: ApiServer;
  let ask: Ask;
  let hangUp: () => void;

  beforeAll(async () => {
    server = await start(handleResource);
    if (protocol === 'HTTP/2') {
      const session = connect(server.url, { ca: server.caCertificate });
      session.on('error', () => {});
      hangUp = () => session.destroy();
      ask = overHttp2(server, session);
    } else {
      const agent = new Agent({ keepAlive: true });
      hangUp = () => agent.destroy();
      ask = overHttp1(server, agent);
    }
  });
  afterAll(async () => {
    hangUp();
    await server.close();
  });

  it('passes requests to the handler', async () => {
    const answer = await ask('GET', `${CONFIGMAPS}/a%20b?x=1`);
    expect(answer.status).toBe(200);
    expect(json(answer).info).toMatchObject({
      verb: 'get',
      namespace: 'default',
      resource: 'configmaps',
      name: 'a b',
    });
    expect(json(answer).user).toMatchObject({
      name: 'instar-admin',
      groups: ['system:masters', 'system:authenticated'],
    });
  });

  it('writes the common headers with the response of the handler', async () => {
    const answer = await ask('GET', `${CONFIGMAPS}/a%20b?x=1`);
    expect(answer.headers['cache-control']).toBe('no-cache, private');
    expect(answer.headers['audit-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers['content-length']).toBe(String(answer.body.length));
  });

  it('refuses anonymous requests, except for health and version', async () => {
    const nobody = { authorization: '' };
    const refused = await ask('GET', CONFIGMAPS, nobody);
    expect(refused.status).toBe(401);
    expect(json(refused)).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Unauthorized',
      reason: 'Unauthorized',
      code: 401,
    });
    for (const path of ['/healthz', '/readyz/ping', '/version'])
      expect((await ask('GET', path, nobody)).status).toBe(200);
    expect((await ask('GET', '/version', { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await ask('GET', '/metrics', nobody)).status).toBe(401);
  });

  it('keeps repeated impersonation headers apart', async () => {
    const answer = await ask('GET', CONFIGMAPS, {
      'impersonate-user': 'jane',
      'impersonate-group': ['a, b', 'c'],
    });
    expect(json(answer).user).toEqual({
      name: 'jane',
      uid: '',
      groups: ['a, b', 'c', 'system:authenticated'],
      extra: {},
    });
  });

  it('reads bodies up to the limit and refuses more with 413', async () => {
    expect(json(await ask('POST', CONFIGMAPS, {}, Buffer.alloc(3 * 1024 * 1024)))).toEqual({
      bytes: 3 * 1024 * 1024,
    });
    const refused = await ask('POST', CONFIGMAPS, {}, Buffer.alloc(3 * 1024 * 1024 + 1));
    expect(refused.status).toBe(413);
    expect(json(refused).message).toBe('Request entity too large: limit is 3145728');
    const declared = await ask(
      'POST',
      CONFIGMAPS,
      { 'content-length': String(8 * 1024 * 1024) },
      Buffer.alloc(8 * 1024 * 1024),
    );
    expect(declared.status).toBe(413);
    expect((await ask('GET', CONFIGMAPS)).status).toBe(200);
  });

  it('writes large responses, compressed if the client accepts it', async () => {
    const plain = await ask('GET', `${CONFIGMAPS}/large`);
    expect([plain.body.length, plain.headers['content-encoding'], plain.headers['vary']]).toEqual([
      300_000,
      undefined,
      undefined,
    ]);
    const packed = await ask('GET', `${CONFIGMAPS}/large`, { 'accept-encoding': 'br, gzip' });
    expect([packed.headers['content-encoding'], packed.headers['vary']]).toEqual(['gzip', 'Accept-Encoding']);
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
    const small = await ask('GET', `${CONFIGMAPS}/small`, { 'accept-encoding': 'gzip' });
    expect(small.headers['content-encoding']).toBeUndefined();
  });

  it('answers HEAD without a body', async () => {
    const answer = await ask('HEAD', `${CONFIGMAPS}/large`);
    expect([answer.status, answer.headers['content-length'], answer.body.length]).toEqual([200, '300000', 0]);
  });

  it('answers an unexpected error with nothing but the id of the request', async () => {
    const answer = await ask('GET', `${CONFIGMAPS}/bug`);
    expect(answer.status).toBe(500);
    expect(answer.body.toString()).not.toContain('secret');
    expect(json(answer).message).toContain(answer.headers['audit-id']);
  });

  it('answers unknown and malformed paths', async () => {
    const unknown = await ask('GET', '/nothing');
    expect([unknown.status, unknown.body.toString(), unknown.headers['content-type']]).toEqual([
      404,
      '404 page not found\n',
      'text/plain; charset=utf-8',
    ]);
    expect((await ask('GET', '/api/v1/%zz/x')).status).toBe(400);
  });

  it('shows metrics of requests', async () => {
    await ask('GET', CONFIGMAPS);
    const text = (await ask('GET', '/metrics')).body.toString();
    expect(text).toMatch(
      /apiserver_request_total\{verb="LIST",dry_run="",group="",version="v1",resource="configmaps",.*code="200"\} \d+/,
    );
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).toMatch(/nodejs_eventloop_lag_seconds\{quantile="0.99"\}/);
  });

  it('refuses headers over the limit alone', async () => {
    expect((await ask('GET', CONFIGMAPS, { 'x-large': 'x'.repeat(48 * 1024) })).status).toBe(200);
    const tooLarge = await ask('GET', CONFIGMAPS, { 'x-large': 'x'.repeat(80 * 1024) }).then(
      ({ status }) => status,
      () => 'refused',
    );
    expect(tooLarge).toBe(protocol === 'HTTP/2' ? 'refused' : 431);
  });

  it('sends the head of a stream before there is anything to stream', async () => {
    const quiet = await start(async () => ({ status: 200, headers: {}, body: { start: () => () => {} } }));
    const headers = { authorization: `Bearer ${quiet.adminToken}` };
    const status = await new Promise((resolve, reject) => {
      if (protocol === 'HTTP/2') {
        const session = connect(quiet.url, { ca: quiet.caCertificate });
        session.on('error', reject);
        session.request({ ':path': '/api/v1/pods?watch=1', ...headers }).on('response', (head) => {
          resolve(head[':status']);
          session.destroy();
        });
      } else {
        const asked = httpsRequest(
          `${quiet.url}/api/v1/pods?watch=1`,
          { headers, ca: quiet.caCertificate },
          (response) => {
            resolve(response.statusCode);
            asked.destroy();
          },
        );
        asked.on('error', reject).end();
      }
    });
    expect(status).toBe(200);
    await quiet.close();
  });

  it('ends streams with what was written when it closes', async () => {
    const own = await start(handleResource);
    const agent = new Agent({ keepAlive: true });
    const session = connect(own.url, { ca: own.caCertificate });
    session.on('error', () => {});
    const watching = (protocol === 'HTTP/2' ? overHttp2(own, session) : overHttp1(own, agent))(
      'GET',
      '/api/v1/pods?watch=true',
    );
    sinks.length = 0;
    await eventually('the watch to begin', () => sinks.length > 0);
    sinks[0]!.write(Buffer.from('{"type":"BOOKMARK"}\n'));
    await own.close();
    const answer = await watching;
    expect(answer.body.toString()).toBe('{"type":"ADDED"}\n{"type":"BOOKMARK"}\n');
    expect(stopped).toContain('pods');
    expect(sinks[0]!.pending).toBe(0);
    agent.destroy();
    session.destroy();
  });

  it('reports how much is pending for a client that does not read', async () => {
    const own = await start(handleResource);
    const headers = { authorization: `Bearer ${own.adminToken}` };
    sinks.length = 0;
    let breakOff: () => void;
    let answered = false;
    if (protocol === 'HTTP/2') {
      const session = connect(own.url, { ca: own.caCertificate });
      session.on('error', () => {});
      const stream = session.request({ ':path': '/api/v1/pods?watch=1', ...headers }).pause();
      stream.once('response', () => (answered = true));
      breakOff = () => session.destroy();
    } else {
      const request = httpsRequest(
        `${own.url}/api/v1/pods?watch=1`,
        { headers, ca: own.caCertificate },
        (response) => {
          response.pause();
          answered = true;
        },
      );
      request.on('error', () => {});
      request.end();
      breakOff = () => request.destroy();
    }
    await eventually('the watch to begin', () => sinks.length > 0);
    const sink = sinks[0]!;
    for (let round = 0; round < 64; round++) sink.write(Buffer.alloc(1024 * 1024));
    await eventually('the answer to begin', () => answered);
    expect(sink.pending).toBeGreaterThan(32 * 1024 * 1024);
    const before = stopped.length;
    breakOff();
    await eventually('the watch to end', () => stopped.length > before);
    await own.close();
  });
});

describe('client certificates', () => {
  it('authenticate, if they were issued by the client CA', async () => {
    const directory = temporaryFolder(onTestFinished);
    const clientCaFile = join(directory, 'clients.crt');
    const ca = { ...createCa('clients', 1), commonName: 'clients' };
    await writeFile(clientCaFile, ca.certificate);
    const server = await start(handleResource, { clientCaFile });
    const asked = async (authority: typeof ca): Promise<Answer> => {
      const leaf = createLeaf(authority, {
        subject: { commonName: 'jane', organizations: ['dev', 'ops'] },
        usage: 'client',
        days: 1,
      });
      const agent = new Agent({ cert: leaf.certificate, key: leaf.key });
      const answer = await overHttp1(server, agent)('GET', CONFIGMAPS, { authorization: '' });
      agent.destroy();
      return answer;
    };
    expect(json(await asked(ca)).user).toMatchObject({
      name: 'jane',
      groups: ['dev', 'ops', 'system:authenticated'],
    });
    expect((await asked({ ...createCa('clients', 1), commonName: 'clients' })).status).toBe(401);
    await server.close();
  });
});

describe('limits', () => {
  it('answers 429 beyond the limit of requests in flight', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const server = await start(async () => held.then(() => jsonResponse(200, {})), {
      limits: { maxRequestsInflight: 2 },
    });
    const session = connect(server.url, { ca: server.caCertificate });
    const asAdmin = overHttp2(server, session);
    const ask: Ask = (method, path) => asAdmin(method, path, { 'impersonate-user': 'jane' });
    const waiting = [ask('GET', CONFIGMAPS), ask('GET', CONFIGMAPS)];
    const refused = await ask('GET', CONFIGMAPS);
    expect([refused.status, refused.headers['retry-after'], refused.body.toString()]).toEqual([
      429,
      '1',
      'Too many requests, please try again later.\n',
    ]);
    expect((await ask('GET', '/readyz')).status).toBe(200);
    const exempt = asAdmin('GET', CONFIGMAPS);
    release();
    for (const answer of await Promise.all([...waiting, exempt])) expect(answer.status).toBe(200);
    session.destroy();
    await server.close();
  });

  it('aborts a request and its handler after the timeout', async () => {
    let signal: AbortSignal | undefined;
    const server = await start((request) => new Promise(() => (signal = request.signal)));
    const session = connect(server.url, { ca: server.caCertificate });
    const ask = overHttp2(server, session);
    const late = await ask('GET', `${CONFIGMAPS}?timeout=20ms`);
    expect([late.status, json(late).message]).toEqual([
      504,
      'Timeout: request did not complete within the allotted timeout',
    ]);
    expect(signal!.aborted).toBe(true);
    session.destroy();
    await server.close();
  });

  it('refuses a timeout that is not a duration', async () => {
    const server = await start(() => new Promise(() => {}));
    const session = connect(server.url, { ca: server.caCertificate });
    const ask = overHttp2(server, session);
    const wrong = await ask('GET', `${CONFIGMAPS}?timeout=soon`);
    expect(json(wrong).message).toBe(
      'invalid timeout specified in the request URL - time: invalid duration "soon"',
    );
    session.destroy();
    await server.close();
  });

  it('aborts the signal when the client disconnects', async () => {
    let aborted = (): void => {};
    const gone = new Promise<void>((resolve) => (aborted = resolve));
    let arrived = (): void => {};
    const there = new Promise<void>((resolve) => (arrived = resolve));
    const server = await start((request) => {
      request.signal.addEventListener('abort', () => aborted());
      arrived();
      return new Promise((_, reject) =>
        request.signal.addEventListener('abort', () => reject(request.signal.reason)),
      );
    });
    const request = httpsRequest(`${server.url}${CONFIGMAPS}`, {
      ca: server.caCertificate,
      headers: { authorization: `Bearer ${server.adminToken}` },
    });
    request.on('error', () => {});
    request.end();
    await there;
    request.destroy();
    await gone;
    await server.close();
  });
});
