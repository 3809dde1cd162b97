// The server without sockets, certificates or users: resources, handlers, watches and discovery over a store
// in memory.
import { type JsonObject, PATCH_MEDIA_TYPES } from '@instar/machinery';
import { SILENT } from '@instar/serving';
import type { StoreOptions } from '@instar/store';
import { discoveryRoutes } from '../api/discovery/routes.ts';
import { errorAnswers } from '../api/filters/errors.ts';
import { finishFilter } from '../api/filters/finish.ts';
import { requestInfoFilter } from '../api/filters/request-info.ts';
import { addWarnings } from '../api/filters/warnings.ts';
import { resourceHandler } from '../api/handlers/dispatch.ts';
import { builtinDefinitions } from '../kinds/index.ts';
import { FormBudget } from '../objects/forms/form-budget.ts';
import { ResourceRegistry } from '../objects/registry.ts';
import type { Resource } from '../objects/resource.ts';
import { WatchService, type WatchServiceOptions } from '../objects/watch/watch-service.ts';
import { checkNamespace } from '../parts/admission/namespace-lifecycle.ts';
import { chain } from '../wire/chain.ts';
import { type ApiResponse, isStreamBody } from '../wire/exchange.ts';
import { requestWithoutSocket } from '../wire/request-without-socket.ts';
import { negotiatedStatus } from '../wire/respond.ts';
import { routePaths } from '../wire/router.ts';
import { type FaultyStore, openFaultyStore } from './faulty-store.ts';
import { TestSink } from './test-sink.ts';

export interface TestApiOptions {
  readonly store?: StoreOptions;
  /** Run on an engine that copies the byte arrays it is given. */
  readonly copies?: boolean;
  readonly maxLogEvents?: number;
  readonly watches?: Partial<WatchServiceOptions>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every kind
export type Json = any;

export interface Answer {
  readonly status: number;
  readonly headers: ApiResponse['headers'];
  readonly text: string;
  readonly body: Json;
}

type CallBody = object | string;

export class TestApi {
  readonly store: FaultyStore;
  readonly registry: ResourceRegistry;
  readonly watches: WatchService;
  readonly failures: unknown[] = [];
  readonly #handle: (request: ReturnType<typeof requestWithoutSocket>) => Promise<ApiResponse>;

  static async start(options: TestApiOptions = {}): Promise<TestApi> {
    const api = new TestApi(await openFaultyStore(options.store, options.copies), options);
    for (const name of ['default', 'kube-system'])
      await api.ok('POST', '/api/v1/namespaces', { metadata: { name } });
    return api;
  }

  private constructor(store: FaultyStore, options: TestApiOptions) {
    this.store = store;
    this.registry = new ResourceRegistry({
      store,
      registryPrefix: '/registry/',
      maxLogEvents: options.maxLogEvents ?? 1000,
      maxLogBytes: 1 << 24,
      formBudget: new FormBudget(1 << 26),
    });
    for (const definition of builtinDefinitions) this.registry.define(definition);
    this.watches = new WatchService({
      maxWatches: 100,
      maxQueuedEvents: 1000,
      maxPendingBytes: 1 << 20,
      bookmarkIntervalMs: 60_000,
      minTimeoutMs: 1_800_000,
      onFailure: (_, error) => this.failures.push(error),
      ...options.watches,
    });
    const namespaces = this.resource('', 'namespaces');
    const admission = {
      mutate: (operation: Parameters<typeof checkNamespace>[0]) =>
        checkNamespace(operation, namespaces).then(() => undefined),
      validate: async () => {},
    };
    const handleResource = resourceHandler({
      registry: this.registry,
      watches: this.watches,
      admission,
      now: Date.now,
    });
    const handlePath = routePaths(discoveryRoutes(this.registry));
    this.#handle = chain(
      [finishFilter(errorAnswers(SILENT, negotiatedStatus), [addWarnings]), requestInfoFilter],
      (request) => (request.info.isResourceRequest ? handleResource(request) : handlePath(request)),
    );
  }

  resource(group: string, plural: string): Resource {
    return this.registry.get(group, plural)!;
  }

  async call(
    method: string,
    url: string,
    body?: CallBody,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
    const type = method === 'PATCH' ? PATCH_MEDIA_TYPES.merge : 'application/json';
    const response = await this.#handle(
      requestWithoutSocket(method, url, { body: text, headers: { 'content-type': type, ...headers } }),
    );
    return answerOf(response);
  }

  /** The body of a request that must succeed. */
  async ok(method: string, url: string, body?: CallBody, headers?: Record<string, string>): Promise<Json> {
    const answer = await this.call(method, url, body, headers);
    if (answer.status >= 300) throw new Error(`${method} ${url}: ${answer.text}`);
    return answer.body;
  }

  async watch(url: string, sink = new TestSink(), headers: Record<string, string> = {}): Promise<TestSink> {
    const { body, status } = await this.#handle(requestWithoutSocket('GET', url, { headers }));
    if (!isStreamBody(body)) throw new Error(`${url} answered ${status} instead of a watch`);
    sink.begin(body);
    return sink;
  }

  async close(): Promise<void> {
    this.watches.close();
    for (const { cache } of this.registry.all()) cache.stop();
    await this.store.close();
  }
}

function answerOf({ status, headers, body }: ApiResponse): Answer {
  if (isStreamBody(body)) throw new Error('the response is a watch, which was not requested');
  const text =
    body === undefined ? '' : Buffer.concat(body instanceof Uint8Array ? [body] : [...body]).toString('utf8');
  const type = String(headers['content-type'] ?? '');
  return {
    status,
    headers,
    text,
    body: type.startsWith('application/json') ? (JSON.parse(text) as JsonObject) : undefined,
  };
}
