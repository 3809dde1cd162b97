// Hosts over real TLS sockets, in both protocols.
import { utimes, writeFile } from 'node:fs/promises';
import { type ClientHttp2Session, connect } from 'node:http2';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { parseLens } from '@instar/lens';
import { createCa, createLeaf, createLog } from '@instar/serving';
import { eventually, temporaryFolder } from '@instar/testing';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { admission } from './admission/admission.ts';
import { allow, deny } from './admission/verdict.ts';
import { conversion } from './conversion/conversion.ts';
import type { ConvertFunction } from './conversion/definition.ts';
import type { HostOptions, WebhookHost } from './options.ts';
import { serveWebhooks } from './serve-webhooks.ts';
import { recordedReviews } from './testing/recorded-reviews.ts';
import { admissionReview, conversionReview, cronTab } from './testing/reviews.ts';
import { openFilesTls } from './tls/files-tls.ts';

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Record<string, unknown>;
}
type Ask = (
  method: string,
  path: string,
  body?: string | Buffer,
  headers?: Record<string, string>,
) => Promise<Answer>;

const open: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function start(options: Partial<HostOptions> = {}): Promise<WebhookHost> {
  const host = await serveWebhooks({
    listen: { host: '127.0.0.1', port: 0 },
    tls: { selfManaged: {} },
    webhooks: {
      '/validate': admission(({ object }) =>
        (object as { spec: { bad?: boolean } }).spec.bad ? deny('bad', 400) : allow(),
      ),
      '/slow': admission(() => sleep(150, allow())),
      '/stuck': admission(() => new Promise<never>(() => {})),
      '/broken': { review: 'AdmissionReview', answer: () => Promise.reject(new Error('ouch')) },
      '/convert': conversion({
        group: 'example.com',
        kind: 'CronTab',
        convert: { 'v1→v2': (o) => o, 'v2→v1': (o) => o },
      }),
    },
    ...options,
  });
  open.push(() => host.close());
  return host;
}

function overHttp1(host: WebhookHost, tls: ConnectionOptions = {}): Ask {
  const agent = new Agent({ keepAlive: true, ca: host.caBundle, ...tls });
  open.unshift(() => agent.destroy());
  return (method, path, body, headers = {}) =>
    new Promise((resolve, reject) => {
      const sent = request(
        host.url + path,
        { method, agent, headers: { 'content-type': 'application/json', ...headers } },
        async (answer) => {
          let text = '';
          for await (const chunk of answer.setEncoding('utf8')) text += chunk;
          resolve({ status: answer.statusCode!, body: text, headers: answer.headers });
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
}

function overHttp2(host: WebhookHost, tls: ConnectionOptions = {}): Ask {
  const session: ClientHttp2Session = connect(host.url, { ca: host.caBundle, ...tls });
  session.on('error', () => {});
  open.unshift(() => session.destroy());
  return (method, path, body, headers = {}) =>
    new Promise((resolve, reject) => {
      const stream = session.request({
        ':method': method,
        ':path': path,
        'content-type': 'application/json',
        ...headers,
      });
      let answer: Answer | undefined;
      let text = '';
      stream.on('response', (head) => {
        answer = { status: head[':status']!, body: '', headers: head };
      });
      stream.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      stream.on('close', () =>
        answer === undefined ? reject(new Error('no answer')) : resolve({ ...answer, body: text }),
      );
      stream.on('error', (error) => answer ?? reject(error));
      stream.end(body);
    });
}

const review = (spec: object = {}): string =>
  JSON.stringify(admissionReview({ object: cronTab('v1', 'a', spec) }));

describe.each([
  ['HTTP/1.1', overHttp1],
  ['HTTP/2', overHttp2],
] as const)('over %s', (_protocol, over) => {
  it('answers admission and conversion reviews at their paths', async () => {
    const ask = over(await start());
    const good = await ask('POST', '/validate?timeout=10s', review());
    expect([good.status, JSON.parse(good.body).response.allowed, good.headers['content-type']]).toEqual([
      200,
      true,
      'application/json',
    ]);
    const bad = await ask('POST', '/validate?timeout=10s', review({ bad: true }));
    expect(JSON.parse(bad.body).response).toMatchObject({
      allowed: false,
      status: { code: 400, message: 'bad' },
    });
  });

  it('answers what a real API server sent', async () => {
    const ask = over(await start({ webhooks: { '/validate': admission(() => allow()) } }));
    for (const { review } of recordedReviews('AdmissionReview')) {
      const { status, body } = await ask('POST', '/validate?timeout=10s', JSON.stringify(review));
      const response = { uid: (review['request'] as { uid: string }).uid, allowed: true };
      expect([status, JSON.parse(body)]).toEqual([
        200,
        { kind: 'AdmissionReview', apiVersion: review['apiVersion'], response },
      ]);
    }
  });

  it('answers large reviews', async () => {
    const ask = over(await start());
    const objects = Array.from({ length: 2000 }, (_, i) =>
      cronTab('v1', `c-${i}`, { text: 'ü'.repeat(500) }),
    );
    const { status, body } = await ask(
      'POST',
      '/convert',
      JSON.stringify(conversionReview('example.com/v2', objects)),
    );
    expect(status).toBe(200);
    const expected = objects.map((object) => ({ ...object, apiVersion: 'example.com/v2' }));
    expect(JSON.stringify(JSON.parse(body).response.convertedObjects) === JSON.stringify(expected)).toBe(
      true,
    );
  });

  it('answers each of many large reviews with its own objects, whether sent concurrently or serially', async () => {
    const lens = parseLens({
      apiVersion: 'instar.dev/v1alpha1',
      kind: 'Lens',
      metadata: { name: 'crontabs' },
      spec: {
        crd: 'crontabs.example.com',
        lenses: [{ from: 'v1', to: 'v2', ops: [{ rename: { from: 'spec.a', to: 'spec.b' } }] }],
      },
    }).lens!;
    const moved: ConvertFunction = async ({ spec, ...rest }) => ({
      ...rest,
      spec: { b: (spec as { a: string }).a },
    });
    const back: ConvertFunction = (object) => object;
    const host = await start({
      webhooks: {
        '/lens': conversion({ lens }),
        '/function': conversion({
          group: 'example.com',
          kind: 'CronTab',
          convert: { 'v1→v2': moved, 'v2→v1': back },
        }),
      },
    });
    const asked = Array.from({ length: 6 }, () => over(host)).map(async (ask, client) => {
      for (let round = 0; round < 4; round++) {
        const text = `${client}-${round} `.repeat(100);
        const objects = Array.from({ length: 200 + 50 * round }, (__, i) =>
          cronTab('v1', `c-${client}-${round}-${i}`, { a: text }),
        );
        const path = (client + round) % 2 === 0 ? '/lens' : '/function';
        const { body } = await ask('POST', path, JSON.stringify(conversionReview('example.com/v2', objects)));
        const expected = objects.map((object) => ({
          ...object,
          apiVersion: 'example.com/v2',
          spec: { b: text },
        }));
        expect(JSON.parse(body).response.convertedObjects).toEqual(expected);
      }
    });
    await Promise.all(asked);
  });

  it('answers 504 for a slow function, 500 for a broken one', async () => {
    const ask = over(await start());
    const stuck = await ask('POST', '/stuck?timeout=50ms', review());
    expect([stuck.status, JSON.parse(stuck.body).reason]).toEqual([504, 'Timeout']);
    const broken = await ask('POST', '/broken', review());
    expect([broken.status, JSON.parse(broken.body).message]).toEqual([500, 'the webhook failed: ouch']);
  });

  it('refuses requests that are not reviews', async () => {
    const ask = over(await start());
    expect(await ask('GET', '/validate')).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    expect((await ask('POST', '/validate', 'a: b', { 'content-type': 'application/yaml' })).status).toBe(415);
    expect((await ask('POST', '/validate', '{')).status).toBe(400);
    expect((await ask('POST', '/nowhere', review())).status).toBe(404);
    expect(
      (await ask('POST', '/validate', review(), { 'content-type': 'application/json; charset=utf-8' }))
        .status,
    ).toBe(200);
  });

  it('refuses exactly the bodies beyond the limit', async () => {
    const ask = over(await start({ limits: { maxAdmissionBytes: 1000 } }));
    const large = Buffer.alloc(300_000, 'x');
    expect((await ask('POST', '/validate', large, { 'content-length': '300000' })).status).toBe(413);
    expect((await ask('POST', '/validate', large)).status).toBe(413);
    expect((await ask('POST', '/validate', review())).status).toBe(200);
  });

  it('bounds the reviews in flight', async () => {
    const ask = over(await start({ limits: { maxInFlight: 2 } }), { maxSockets: 10 } as object);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() =>
        ask('POST', '/slow', review()).catch(() => ({ status: 429, headers: { 'retry-after': '1' } })),
      ),
    );
    expect(
      answers.map(({ status }) => status).filter((status) => status === 200).length,
    ).toBeGreaterThanOrEqual(2);
    expect((await ask('POST', '/validate', review())).status).toBe(200);
  });

  it('serves health checks and metrics', async () => {
    const ask = over(await start());
    await ask('POST', '/validate', review({ bad: true }));
    await ask('POST', '/convert', JSON.stringify(conversionReview('example.com/v2', [cronTab('v1', 'a')])));
    for (const path of ['/healthz', '/livez', '/readyz'])
      expect(await ask('GET', path)).toMatchObject({ status: 200, body: 'ok' });
    const { body } = await ask('GET', '/metrics');
    expect(body).toContain('instar_webhook_requests_total{path="/validate",code="200",outcome="denied"} 1\n');
    expect(body).toContain(
      'instar_webhook_converted_objects_total{kind="CronTab",from="example.com/v1",to="example.com/v2"} 1\n',
    );
    expect(body).toMatch(
      /instar_webhook_certificate_expiry_timestamp_seconds\{certificate="serving"\} \d{10}/,
    );
    expect(body).toContain('instar_webhook_requests_in_flight 0\n');
    expect(body).toContain('process_resident_memory_bytes');
  });

  it('finishes reviews in flight before it closes, but reports not ready', async () => {
    const host = await start({ limits: { lameDuckMs: 300 } });
    const ask = over(host);
    const slow = ask('POST', '/slow', review());
    await ask('GET', '/healthz');
    const closed = host.close();
    expect(await ask('GET', '/readyz')).toMatchObject({ status: 503, body: 'not ready: shutting down\n' });
    expect((await slow).status).toBe(200);
    await closed;
    await expect(over(host)('GET', '/healthz')).rejects.toThrow();
  });

  it('closes after the shutdown timeout even if a review is in flight', async () => {
    const host = await start({ limits: { shutdownMs: 50 } });
    const stuck = over(host)('POST', '/stuck', review()).catch((error: Error) => error);
    await eventually('the request to be in flight', async () =>
      (await over(host)('GET', '/metrics')).body.includes('instar_webhook_requests_in_flight 1\n'),
    );
    await host.close();
    expect(await stuck).toBeInstanceOf(Error);
  });
});

describe('client certificates', () => {
  const ca = { ...createCa('clients', 1), commonName: 'clients' };
  const client = createLeaf(ca, { subject: { commonName: 'apiserver' }, usage: 'client', days: 1 });
  const other = createLeaf(
    { ...createCa('clients', 1), commonName: 'clients' },
    { subject: { commonName: 'apiserver' }, usage: 'client', days: 1 },
  );
  const directory = temporaryFolder();
  beforeAll(async () => {
    await writeFile(join(directory, 'ca.crt'), ca.certificate);
  });

  it('are required for reviews only, if a CA is given', async () => {
    const host = await start({ clientCaFile: join(directory, 'ca.crt') });
    for (const over of [overHttp1, overHttp2]) {
      expect(
        (await over(host, { cert: client.certificate, key: client.key })('POST', '/validate', review()))
          .status,
      ).toBe(200);
      expect(
        (await over(host, { cert: other.certificate, key: other.key })('POST', '/validate', review())).status,
      ).toBe(401);
      const none = over(host);
      expect((await none('POST', '/validate', review())).status).toBe(401);
      expect((await none('GET', '/readyz')).status).toBe(200);
    }
  });

  it('are not requested without a CA', async () => {
    const host = await start();
    const socket = await handshake(host);
    expect(socket.getCertificate()).toEqual({});
    socket.destroy();
  });
});

function handshake(host: WebhookHost, options: ConnectionOptions = {}): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host: '127.0.0.1', port: host.port, ca: host.caBundle, ...options }, () =>
      resolve(socket),
    );
    socket.on('error', reject);
  });
}

describe('certificates from files', () => {
  const ca = { ...createCa('test', 2), commonName: 'test' };
  const leaf = (name: string) =>
    createLeaf(ca, { subject: { commonName: name }, usage: 'server', hosts: ['127.0.0.1'], days: 1 });
  const directory = temporaryFolder();
  const files = () => ({ certFile: join(directory, 'tls.crt'), keyFile: join(directory, 'tls.key') });
  const write = async ({ certificate, key }: ReturnType<typeof leaf>): Promise<void> => {
    await writeFile(files().certFile, certificate);
    await writeFile(files().keyFile, key);
  };

  it('are served to clients', async () => {
    await write(leaf('from-files'));
    const host = await start({ tls: files() });
    const socket = await handshake(host, { ca: ca.certificate });
    expect(socket.getPeerCertificate().subject.CN).toBe('from-files');
    socket.destroy();
  });

  it('are reloaded when they change, unless the new ones are broken', async () => {
    await write(leaf('old'));
    const errors: string[] = [];
    const log = createLog({ level: 'error', destination: { write: (line) => errors.push(line) } });
    const source = await openFilesTls(files(), log, 5);
    const seen: unknown[] = [];
    source.start(({ context }) => seen.push(context.cert));
    open.push(() => source.stop());
    await writeFile(files().certFile, 'half a certif');
    await eventually('an error in the log', () => errors.length > 0);
    expect(seen).toEqual([]);
    const next = leaf('new');
    await write(next);
    await utimes(files().certFile, new Date(), new Date(Date.now() + 10_000));
    await eventually('the new certificate', () => seen.at(-1) === next.certificate);
    expect(source.current.context.key).toBe(next.key);
  });

  it('must match the key', async () => {
    await write({ certificate: leaf('a').certificate, key: leaf('b').key });
    await expect(start({ tls: files() })).rejects.toThrow(
      'the TLS private key does not belong to the certificate',
    );
  });
});

describe('wrong options', () => {
  const hook = admission(() => allow());

  it.each([
    [{ webhooks: {} }, 'there are no webhooks to serve'],
    [{ webhooks: { validate: hook } }, '"validate" is not a path of a webhook: it must start with a slash'],
    [{ webhooks: { '/a?b': hook } }, 'is not a path of a webhook'],
    [{ webhooks: { '/metrics': hook } }, '/metrics is taken: the host answers it itself'],
    [
      { tls: { selfManaged: { inject: [{ customResourceDefinition: 'x' }] } } },
      'a client is needed to write the CA into the API server',
    ],
    [
      { tls: { selfManaged: { store: { secret: { name: 'a', namespace: 'b' } } } } },
      'a client is needed to keep certificates in a Secret',
    ],
    [{ tls: { certFile: '/nowhere.crt', keyFile: '/nowhere.key' } }, 'ENOENT'],
    [{ clientCaFile: '/nowhere.crt' }, 'ENOENT'],
  ])('are refused: %j', async (options, message) => {
    await expect(start(options as Partial<HostOptions>)).rejects.toThrow(message);
  });
});
