// A small HTTP client for tests of answers on the wire: one answer, or the events of a watch.
import { PATCH_MEDIA_TYPES } from '@instar/machinery';
import { Agent, type Dispatcher, request } from 'undici';

export interface ApiAccess {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

/** The answer to a request. */
export interface ApiAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of answers are whatever the test expects them to be
  readonly body: any;
  /** The texts of Warning headers. */
  readonly warnings: readonly string[];
}

/** The fields of objects, lists and Statuses that tests use. */
export interface ApiObject {
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly deletionTimestamp?: string;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly unknown[];
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly items?: readonly ApiObject[];
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly status?: unknown;
}

/** An event of a watch. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: ApiObject;
}

/** The HTTP methods of the API. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Sends requests to an API server and returns their answers as they are. */
export class ApiClient {
  readonly #access: ApiAccess;
  readonly #agent: Agent;
  /** Watches keep a connection each. */
  readonly #watchAgent: Agent;

  constructor(access: ApiAccess, { connections }: { readonly connections?: number } = {}) {
    this.#access = access;
    this.#agent = new Agent({
      connect: { ca: access.ca },
      ...(connections !== undefined && { connections }),
    });
    this.#watchAgent = new Agent({ connect: { ca: access.ca } });
  }

  async close(): Promise<void> {
    await Promise.all([this.#agent.destroy(), this.#watchAgent.destroy()]);
  }

  /**
   * A body is sent as JSON, or as it is if it is bytes; that of a PATCH is a merge patch unless the headers
   * say otherwise.
   */
  async send(
    method: HttpMethod,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
    signal?: AbortSignal,
  ): Promise<ApiAnswer> {
    const type = method === 'PATCH' ? PATCH_MEDIA_TYPES.merge : 'application/json';
    const response = await request(this.#access.url + path, {
      method,
      dispatcher: this.#agent,
      headers: {
        authorization: `Bearer ${this.#access.token}`,
        ...(body !== undefined && { 'content-type': type }),
        ...headers,
      },
      ...(body !== undefined && { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const text = await response.body.text();
    const warnings = [response.headers['warning'] ?? []].flat().map(warningText);
    return { status: response.statusCode, body: text.startsWith('{') ? JSON.parse(text) : text, warnings };
  }

  /** The events of a watch until the server ends it or the caller stops iterating. */
  async *watch(path: string): AsyncGenerator<WatchEvent> {
    yield* eventsOf(await this.#open(path));
  }

  /**
   * The first `count` events of a watch; fewer if the server ends it. Resolves once the watch is open, so
   * that later changes are included.
   */
  async firstEvents(
    path: string,
    count: number,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly events: Promise<ApiAnswer['body'][]> }> {
    const response = await this.#open(path, headers);
    const read = async (): Promise<ApiAnswer['body'][]> => {
      const events: ApiAnswer['body'][] = [];
      for await (const event of eventsOf(response)) if (events.push(event) >= count) break;
      return events;
    };
    return { events: read() };
  }

  #open(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Dispatcher.ResponseData> {
    return request(this.#access.url + path, {
      dispatcher: this.#watchAgent,
      headers: { authorization: `Bearer ${this.#access.token}`, ...headers },
    });
  }
}

async function* eventsOf(response: Dispatcher.ResponseData): AsyncGenerator<WatchEvent> {
  let rest = '';
  for await (const chunk of response.body.setEncoding('utf8')) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield JSON.parse(line) as WatchEvent;
  }
}

const warningText = (header: string): string =>
  /^299 \S+ "(.*)"$/.exec(header)?.[1]?.replace(/\\(.)/g, '$1') ?? header;
