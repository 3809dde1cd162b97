// A server in this process with nothing in its store, and the few requests that tests make of it.
import { PATCH_MEDIA_TYPES } from '@instar/machinery';
import { openStore } from '@instar/store';
import { Agent, request } from 'undici';
import type { ServerOptions } from '../api/options.ts';
import { type RunningServer, startServer } from '../server.ts';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of answers are whatever the test expects them to be
  readonly body: any;
  /** The texts of Warning headers. */
  readonly warnings: readonly string[];
}

export class EmbeddedApi {
  readonly #server: RunningServer;
  readonly #agent: Agent;
  /** Watches keep a connection each. */
  readonly #watchAgent: Agent;

  private constructor(server: RunningServer) {
    this.#server = server;
    this.#agent = new Agent({ connect: { ca: server.caCertificate }, connections: 10 });
    this.#watchAgent = new Agent({ connect: { ca: server.caCertificate } });
  }

  static async start(options: Partial<ServerOptions> = {}): Promise<EmbeddedApi> {
    return new EmbeddedApi(await startServer({ storage: await openStore('memory:'), ...options }));
  }

  async close(): Promise<void> {
    await Promise.all([this.#agent.destroy(), this.#watchAgent.destroy()]);
    await this.#server.close();
  }

  async send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<Answer> {
    const type = method === 'PATCH' ? PATCH_MEDIA_TYPES.merge : 'application/json';
    const response = await request(this.#server.url + path, {
      method,
      dispatcher: this.#agent,
      headers: {
        authorization: `Bearer ${this.#server.adminToken}`,
        ...(body !== undefined && { 'content-type': type }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const text = await response.body.text();
    const warnings = [response.headers['warning'] ?? []].flat().map(warningText);
    return { status: response.statusCode, body: text.startsWith('{') ? JSON.parse(text) : text, warnings };
  }

  /**
   * The first `count` events of a watch; fewer if the server ends it. Resolves to a promise of them once the
   * watch is open.
   */
  async watch(
    path: string,
    count: number,
    headers: Record<string, string> = {},
  ): Promise<{ events: Promise<Answer['body'][]> }> {
    const response = await request(`${this.#server.url}${path}`, {
      dispatcher: this.#watchAgent,
      headers: { authorization: `Bearer ${this.#server.adminToken}`, ...headers },
    });
    const read = async (): Promise<Answer['body'][]> => {
      const events: Answer['body'][] = [];
      let rest = '';
      for await (const chunk of response.body.setEncoding('utf8')) {
        const lines = (rest + String(chunk)).split('\n');
        rest = lines.pop()!;
        events.push(...lines.map((line) => JSON.parse(line)));
        if (events.length >= count) break;
      }
      return events;
    };
    return { events: read() };
  }

  async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < 500; tries++) {
      if (await holds()) return;
      await new Promise((resume) => setTimeout(resume, 20));
    }
    throw new Error(`gave up waiting for ${what}`);
  }
}

const warningText = (header: string): string =>
  /^299 \S+ "(.*)"$/.exec(header)?.[1]?.replace(/\\(.)/g, '$1') ?? header;
