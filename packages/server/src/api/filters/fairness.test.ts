// The filter with flow schemas and levels of its own, without sockets.
import { MetricsRegistry, SILENT } from '@instar/serving';
import { expect, it } from 'vitest';
import type { FlowSchema } from '../../kinds/validate/flow-schema.ts';
import type { PriorityLevel } from '../../kinds/validate/priority-level.ts';
import { chain } from '../../wire/chain.ts';
import { type ApiResponse, type Handler, isStreamBody } from '../../wire/exchange.ts';
import { requestWithoutSocket } from '../../wire/request-without-socket.ts';
import { jsonResponse } from '../../wire/responses.ts';
import { authenticatedUser } from '../auth/users.ts';
import { FlowControl } from '../fairness/flow-control.ts';
import { addCommonHeaders } from './common-headers.ts';
import { errorAnswers } from './errors.ts';
import { fairnessFilter } from './fairness.ts';
import { finishFilter } from './finish.ts';
import { requestInfoFilter } from './request-info.ts';

const REQUEST_TIMEOUT_MS = 60_000;

function levelOf(name: string, limitResponse: object): PriorityLevel {
  const limited = {
    nominalConcurrencyShares: 100,
    lendablePercent: 0,
    borrowingLimitPercent: 0,
    limitResponse,
  };
  return {
    metadata: { name, uid: `uid-${name}` },
    spec: { type: 'Limited', limited },
  } as unknown as PriorityLevel;
}

function schemaOf(name: string, level: string, precedence: number, user: string): FlowSchema {
  const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true };
  return {
    metadata: { name, uid: `uid-${name}` },
    spec: {
      priorityLevelConfiguration: { name: level },
      matchingPrecedence: precedence,
      distinguisherMethod: { type: 'ByUser' },
      rules: [{ subjects: [{ kind: 'User', user: { name: user } }], resourceRules: [all] }],
    },
  } as unknown as FlowSchema;
}

const QUEUE = { type: 'Queue', queuing: { queues: 4, handSize: 1, queueLengthLimit: 1 } };

/** One seat for each of two levels: that of jane refuses, that of everybody else has queues. */
class Server {
  readonly metrics = new MetricsRegistry();
  readonly control = new FlowControl({ seats: 2, metrics: this.metrics, objectCount: () => 1000 });
  readonly #releases: (() => void)[] = [];

  constructor() {
    this.control.configure(
      [levelOf('few', { type: 'Reject' }), levelOf('queued', QUEUE)],
      [
        schemaOf('janes', 'few', 10, 'jane'),
        schemaOf('others', 'queued', 20, '*'),
        schemaOf('lost', 'none', 1, '*'),
      ],
    );
  }

  ask(user: string, url = '/api/v1/pods', handler: Handler = this.#held): Promise<ApiResponse> {
    const request = requestWithoutSocket('GET', url);
    request.user = authenticatedUser(user, '', []);
    const filters = [
      finishFilter(errorAnswers(SILENT), [addCommonHeaders]),
      requestInfoFilter,
      fairnessFilter(this.control, REQUEST_TIMEOUT_MS),
    ];
    return chain(filters, handler)(request);
  }

  readonly #held: Handler = () =>
    new Promise((resolve) => this.#releases.push(() => resolve(jsonResponse(200, {}))));

  /** Answers the oldest request that is executed. */
  release(): void {
    this.#releases.shift()!();
  }

  get executing(): number {
    return this.#releases.length;
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const messageOf = ({ body }: ApiResponse): string =>
  JSON.parse(new TextDecoder().decode(body as Uint8Array)).message;

it('says in the headers of a response how the request was classified', async () => {
  const server = new Server();
  const answer = server.ask('jane');
  server.release();
  expect((await answer).headers).toMatchObject({
    'x-kubernetes-pf-flowschema-uid': 'uid-janes',
    'x-kubernetes-pf-prioritylevel-uid': 'uid-few',
  });
});

it('refuses with 429 what a level without queues has no seat for, and says why', async () => {
  const server = new Server();
  void server.ask('jane');
  const refused = await server.ask('jane');
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
  expect(refused.headers['x-kubernetes-pf-flowschema-uid']).toBe('uid-janes');
  expect(messageOf(refused)).toBe(
    'Too many requests, please try again later. (concurrency-limit: all seats of the level are taken, and it ' +
      'has no queues; flow schema "janes", priority level "few")',
  );
});

it('lets requests wait in the queue of their flow, as many as fit', async () => {
  const server = new Server();
  const first = server.ask('bob');
  const second = server.ask('bob');
  const third = await server.ask('bob');
  expect([third.status, messageOf(third)]).toEqual([429, expect.stringContaining('queue-full')]);
  expect(server.executing).toBe(1);
  server.release();
  await first;
  await settled();
  server.release();
  expect((await second).status).toBe(200);
});

it('does not let one level take the seats of another', async () => {
  const server = new Server();
  void server.ask('bob');
  void server.ask('bob');
  const answer = server.ask('jane');
  server.release();
  server.release();
  expect((await answer).status).toBe(200);
});

it('gives up waiting after a quarter of the time that the client allows', async () => {
  const server = new Server();
  void server.ask('bob');
  const late = await server.ask('bob', '/api/v1/pods?timeout=40ms');
  expect([late.status, messageOf(late)]).toEqual([429, expect.stringContaining('time-out')]);
});

it('gives the seats of a watch back when it has begun, and not again when it ends', async () => {
  const server = new Server();
  const watch: Handler = async (request) => {
    const start = () => {
      request.onWatchBegun!();
      return () => {};
    };
    return { status: 200, headers: {}, body: { start } };
  };
  const opened = await server.ask('jane', '/api/v1/pods?watch=1', watch);
  expect((await server.ask('jane')).status).toBe(429);
  const stop = isStreamBody(opened.body) ? opened.body.start(undefined as never) : undefined;
  const next = server.ask('jane');
  stop!();
  expect((await server.ask('jane')).status).toBe(429);
  server.release();
  expect((await next).status).toBe(200);
});

it('gives the seats back when a handler fails, even before it returns a promise', async () => {
  const server = new Server();
  for (let round = 0; round < 3; round++) {
    const failed = await server.ask('jane', '/api/v1/pods', () => {
      throw new Error('a bug');
    });
    expect(failed.status).toBe(500);
  }
});

it('never limits members of system:masters', async () => {
  const server = new Server();
  const request = () => {
    const made = requestWithoutSocket('GET', '/api/v1/pods');
    made.user = authenticatedUser('admin', '', ['system:masters']);
    return made;
  };
  const filters = [requestInfoFilter, fairnessFilter(server.control, REQUEST_TIMEOUT_MS)];
  let executed = 0;
  const never: Handler = () => {
    executed++;
    return new Promise(() => {});
  };
  for (let i = 0; i < 10; i++) void chain(filters, never)(request());
  await settled();
  expect(executed).toBe(10);
});

it('counts what it has refused, and by whom', async () => {
  const server = new Server();
  void server.ask('jane');
  await server.ask('jane');
  expect(server.metrics.print()).toContain(
    'apiserver_flowcontrol_rejected_requests_total{priority_level="few",flow_schema="janes",reason="concurrency-limit"} 1',
  );
  expect(server.metrics.print()).toContain(
    'apiserver_flowcontrol_nominal_limit_seats{priority_level="few"} 1',
  );
});

it('ignores schemas of levels that do not exist, and falls back on catch-all', async () => {
  const server = new Server();
  const request = requestWithoutSocket('GET', '/version');
  request.user = authenticatedUser('bob', '', []);
  await chain([requestInfoFilter], async () => jsonResponse(200, {}))(request);
  expect(server.control.classify(request).name).toBe('catch-all');
});

it('makes a list as wide as it has objects, within what its level allows', () => {
  const control = new FlowControl({ seats: 600, metrics: new MetricsRegistry(), objectCount: () => 450 });
  control.configure([levelOf('wide', QUEUE)], []);
  const level = control.levels.find(({ name }) => name === 'wide')!;
  const seats = async (url: string) => {
    const request = requestWithoutSocket('GET', url);
    await chain([requestInfoFilter], async () => jsonResponse(200, {}))(request);
    return control.seatsOf(request, level);
  };
  return expect(
    Promise.all(
      [
        '/api/v1/pods',
        '/api/v1/pods?limit=150',
        '/api/v1/pods?fieldSelector=metadata.name%3Da',
        '/api/v1/namespaces/a/pods/b',
        '/api/v1/pods?watch=1',
        '/api/v1/pods?watch=1&resourceVersion=5',
      ].map(seats),
    ),
  ).resolves.toEqual([5, 2, 1, 1, 5, 1]);
});
