// A small HTTP client for tests that care about the wire: one answer, or the events of a watch.
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';

export interface Access {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

export interface Answer {
  readonly status: number;
  readonly body: ApiObject;
}

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

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: ApiObject;
}

export class Client {
  readonly #access: Access;
  readonly #agent: Agent;

  constructor(access: Access) {
    this.#access = access;
    this.#agent = new Agent({ keepAlive: true, ca: access.ca });
  }

  close(): void {
    this.#agent.destroy();
  }

  async send(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Answer> {
    const response = await this.#open(method, path, body, type);
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return {
      status: response.statusCode!,
      body: text.startsWith('{') ? (JSON.parse(text) as ApiObject) : ({} as ApiObject),
    };
  }

  /** The events of a watch until the server ends it or the caller stops asking. */
  async *watch(path: string): AsyncGenerator<WatchEvent> {
    const response = await this.#open('GET', path);
    let rest = '';
    for await (const chunk of response.setEncoding('utf8')) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      for (const line of lines) yield JSON.parse(line) as WatchEvent;
    }
  }

  #open(method: string, path: string, body?: unknown, type = 'application/json'): Promise<IncomingMessage> {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${this.#access.token}`,
      // Node frames the body of a DELETE only if told its length.
      ...(payload !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(payload) }),
    };
    return new Promise((resolve, reject) => {
      const asked = request(`${this.#access.url}${path}`, { method, headers, agent: this.#agent }, resolve);
      asked.once('error', reject);
      asked.end(payload);
    });
  }
}

/** Asks until the answer is as wanted; for what controllers do in their own time. */
export async function until<T>(ask: () => Promise<T>, wanted: (answer: T) => boolean): Promise<T> {
  for (let tries = 0; ; tries++) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (tries === 400) throw new Error(`it did not come to that: ${JSON.stringify(answer).slice(0, 1000)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
