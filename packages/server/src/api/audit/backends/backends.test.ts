import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { FakeClock, temporaryFolder } from '@instar/testing';
import { describe, expect, it } from 'vitest';
import type { AuditBackend, ReportLoss } from '../backend.ts';
import { AuditEvent, legacyLine } from '../event.ts';
import { BufferedBackend } from './buffered-backend.ts';
import { LogBackend } from './log-backend.ts';
import { RotatingFile } from './rotating-file.ts';
import { TruncatingBackend } from './truncating-backend.ts';
import { WebhookBackend } from './webhook-backend.ts';

const folder = temporaryFolder();

const event = (auditID: string, requestObject?: string): AuditEvent =>
  new AuditEvent({
    level: requestObject === undefined ? 'Metadata' : 'Request',
    auditID,
    stage: 'ResponseComplete',
    requestURI: '/api',
    verb: 'get',
    user: { username: 'jane', groups: ['devs', 'ops'] },
    sourceIPs: ['10.0.0.1'],
    requestObject,
    responseStatus: { metadata: {}, code: 200 },
    requestReceivedTimestamp: '2026-01-02T03:04:05.120000Z',
    stageTimestamp: '2026-01-02T03:04:05.123456Z',
    annotations: { a: 'b' },
  });

interface Loss {
  plugin: string;
  why: string;
  ids: string[];
}

function losses(): { lost: Loss[]; report: ReportLoss } {
  const lost: Loss[] = [];
  const report: ReportLoss = (plugin, why, events) =>
    lost.push({ plugin, why: (why as Error).message, ids: events.map(({ fields }) => fields.auditID) });
  return { lost, report };
}

/** Keeps batches; answers when it is told to. */
class Recorder implements AuditBackend {
  readonly batches: string[][] = [];
  readonly #answers: (() => void)[] = [];
  readonly #isHeld: boolean;
  isClosed = false;

  constructor(isHeld = false) {
    this.#isHeld = isHeld;
  }

  process(events: readonly AuditEvent[]): Promise<boolean> {
    this.batches.push(events.map(({ fields }) => fields.auditID));
    return this.#isHeld ? new Promise((done) => this.#answers.push(() => done(true))) : Promise.resolve(true);
  }

  release(): void {
    for (const answer of this.#answers.splice(0)) answer();
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

const settled = () => new Promise((resume) => setImmediate(resume));

describe('an event', () => {
  it('is encoded with its bodies', () => {
    const parsed = JSON.parse(event('1', '{"a":1}').json);
    expect(Object.keys(parsed).slice(0, 5)).toEqual(['kind', 'apiVersion', 'level', 'auditID', 'stage']);
    expect(parsed).toMatchObject({ requestObject: { a: 1 }, annotations: { a: 'b' } });
  });

  it('has a line in the older format', () => {
    expect(legacyLine(event('1'))).toBe(
      '2026-01-02T03:04:05.12Z AUDIT: id="1" stage="ResponseComplete" ip="10.0.0.1" method="get" user="jane" groups="\\"devs\\",\\"ops\\"" as="<self>" asgroups="<lookup>" user-agent="" namespace="<none>" uri="/api" response="200"',
    );
  });
});

describe('a buffer', () => {
  const options = { bufferSize: 4, maxBatchSize: 2, maxWaitMs: 1000 };

  it('delivers full batches at once and others after a while', async () => {
    const [inner, clock] = [new Recorder(), new FakeClock()];
    const buffer = new BufferedBackend(inner, options, losses().report, false, clock);
    for (const id of ['1', '2', '3']) expect(buffer.process([event(id)])).toBe(true);
    await settled();
    expect(inner.batches).toEqual([['1', '2']]);
    await clock.pass(1000);
    await settled();
    expect(inner.batches).toEqual([['1', '2'], ['3']]);
  });

  it('counts what does not fit while the backend hangs, and lets requests go on', async () => {
    const { lost, report } = losses();
    const inner = new Recorder(true);
    const buffer = new BufferedBackend(inner, options, report, true, new FakeClock());
    buffer.process([event('1'), event('2')]);
    await settled();
    for (const id of ['3', '4', '5', '6', '7']) expect(buffer.process([event(id)])).toBe(true);
    expect(inner.batches).toEqual([['1', '2']]);
    expect(lost).toEqual([{ plugin: 'buffered', why: 'audit buffer queue blocked', ids: ['7'] }]);
    inner.release();
  });

  it('throttles batches', async () => {
    const [inner, clock] = [new Recorder(), new FakeClock()];
    const throttle = { qps: 1, burst: 1 };
    const buffer = new BufferedBackend(inner, { ...options, throttle }, losses().report, false, clock);
    buffer.process(['1', '2', '3', '4'].map((id) => event(id)));
    await settled();
    expect(inner.batches).toHaveLength(1);
    await clock.pass(1000);
    await settled();
    expect(inner.batches).toHaveLength(2);
  });

  it('delivers everything when it is closed, and takes nothing more', async () => {
    const { lost, report } = losses();
    const inner = new Recorder();
    const buffer = new BufferedBackend(inner, options, report, false, new FakeClock());
    buffer.process([event('1')]);
    await buffer.close();
    expect([inner.batches, inner.isClosed]).toEqual([[['1']], true]);
    buffer.process([event('2')]);
    expect(lost).toEqual([{ plugin: 'buffered', why: 'audit backend shut down', ids: ['2'] }]);
  });
});

describe('truncation', () => {
  const { length } = event('1').json;
  const options = { maxEventBytes: length + 60, maxBatchBytes: 2 * length + 1 };

  it('leaves out bodies, then whole events', async () => {
    const { lost, report } = losses();
    const texts: string[] = [];
    const inner: AuditBackend = {
      process: (events) => texts.push(...events.map(({ json }) => json)) > 0,
      close: async () => {},
    };
    const truncating = new TruncatingBackend(inner, options, report);
    await truncating.process([event('1', JSON.stringify('x'.repeat(100)))]);
    expect(JSON.parse(texts[0]!)).toMatchObject({
      annotations: { a: 'b', 'audit.k8s.io/truncated': 'true' },
    });
    expect(texts[0]).not.toContain('requestObject');
    await truncating.process([event('y'.repeat(100))]);
    expect(lost).toMatchObject([{ plugin: 'truncate', why: 'event is too large even after truncating' }]);
  });

  it('splits batches that are too long', async () => {
    const inner = new Recorder();
    await new TruncatingBackend(inner, options, losses().report).process(
      ['1', '2', '3'].map((id) => event(id)),
    );
    expect(inner.batches).toEqual([['1', '2'], ['3']]);
  });
});

describe('a webhook', () => {
  it('gets an EventList, again if it fails', async () => {
    const clock = new FakeClock();
    const bodies: string[] = [];
    const send = async (body: string): Promise<void> => {
      if (bodies.push(body) === 1) throw new Error('not now');
    };
    const backend = new WebhookBackend({ send, initialBackoffMs: 10 }, losses().report, clock);
    const processed = backend.process([event('1', '{}'), event('2')]);
    await settled();
    await clock.pass(20);
    expect(await processed).toBe(true);
    expect(bodies[1]).toBe(bodies[0]);
    expect(JSON.parse(bodies[1]!)).toMatchObject({
      kind: 'EventList',
      items: [{ auditID: '1', requestObject: {} }, { auditID: '2' }],
    });
    expect(JSON.parse(bodies[1]!).items[0].kind).toBeUndefined();
  });

  it('is not asked again when the server ends, and the loss is counted', async () => {
    const { lost, report } = losses();
    const send = () => Promise.reject(new Error('nobody is there'));
    const backend = new WebhookBackend({ send, initialBackoffMs: 10 }, report, new FakeClock());
    const processed = backend.process([event('1')]);
    backend.hasten();
    expect(await processed).toBe(false);
    expect(lost).toEqual([{ plugin: 'webhook', why: 'nobody is there', ids: ['1'] }]);
  });
});

describe('a log', () => {
  const rotation = { maxBytes: 0, maxAgeMs: 0, maxBackups: 0, compress: false };
  const fail = (error: unknown): void => {
    throw error;
  };

  it('has a line for each event, in order', async () => {
    const path = join(folder, 'new', 'audit.log');
    const log = new LogBackend(new RotatingFile(path, rotation, fail), 'json', losses().report);
    const done = ['1', '2', '3'].map((id) => log.process([event(id)]));
    expect(await Promise.all(done)).toEqual([true, true, true]);
    await log.close();
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).auditID)).toEqual(['1', '2', '3']);
  });

  it('counts what could not be written', async () => {
    const { lost, report } = losses();
    const sink = { write: () => Promise.reject(new Error('disk full')), close: async () => {} };
    expect(await new LogBackend(sink, 'json', report).process([event('1')])).toBe(false);
    expect(lost).toEqual([{ plugin: 'log', why: 'disk full', ids: ['1'] }]);
  });

  it('is rotated; old files are compressed, and the oldest removed', async () => {
    const path = join(folder, 'rotated.log');
    writeFileSync(join(folder, 'rotated-other.log'), 'not a backup');
    let now = Date.UTC(2026, 0, 2);
    const options = { ...rotation, maxBytes: 10, maxBackups: 1, compress: true };
    const file = new RotatingFile(path, options, fail, () => now++);
    for (const text of ['first one', 'second one', 'third']) await file.write(Buffer.from(text));
    await file.close();
    const names = readdirSync(folder).filter((name) => name.startsWith('rotated'));
    expect(names.sort()).toEqual([
      'rotated-2026-01-02T00-00-00.001.log.gz',
      'rotated-other.log',
      'rotated.log',
    ]);
    expect(readFileSync(path, 'utf8')).toBe('third');
    const [backup] = names.sort();
    expect(gunzipSync(readFileSync(join(folder, backup!))).toString()).toBe('second one');
  });
});
