// A good client: requests over HTTP/1.1 or HTTP/2 whose answers must be the expected ones.
import http2 from 'node:http2';
import { Agent, request } from 'undici';

const MEDIA_TYPES = {
  merge: 'application/merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** A busy machine may need long for a handshake. */
export const CONNECT_MS = 60_000;

/** The connection was not made, or broke. */
export class NoAnswer extends Error {}

/** Whether an error is one of a connection, not of what was answered. */
export const isWithoutAnswer = (error) => error instanceof NoAnswer || typeof error?.code === 'string';

export class Client {
  #access;
  #agent;
  #session;

  constructor(access, protocol) {
    this.#access = access;
    this.protocol = protocol;
    if (protocol === 'h1')
      this.#agent = new Agent({ connect: { ca: access.ca, timeout: CONNECT_MS }, connections: 4 });
  }

  /** The status and the parsed body. Rejects if there is no answer. */
  send(method, path, body, { patch, signal } = {}) {
    const headers = { authorization: `Bearer ${this.#access.token}` };
    const text = body === undefined ? undefined : JSON.stringify(body);
    if (text !== undefined) headers['content-type'] = patch ? MEDIA_TYPES[patch] : 'application/json';
    return this.protocol === 'h1'
      ? this.#sendOverHttp1(method, path, text, headers, signal)
      : this.#sendOverHttp2(method, path, text, headers, signal);
  }

  async close() {
    await this.#agent?.destroy();
    await new Promise((resolve) => {
      if (this.#session === undefined || this.#session.closed) return resolve();
      this.#session.close(resolve);
      setTimeout(() => this.#session.destroy(), 2_000).unref();
    });
  }

  async #sendOverHttp1(method, path, body, headers, signal) {
    const options = { method, headers, body, dispatcher: this.#agent, signal };
    const response = await request(this.#access.url + path, options);
    return answerOf(response.statusCode, await response.body.text());
  }

  #sendOverHttp2(method, path, body, headers, signal) {
    if (this.#session === undefined || this.#session.closed || this.#session.destroyed) {
      this.#session = http2.connect(this.#access.url, { ca: this.#access.ca });
      this.#session.on('error', () => undefined);
    }
    return new Promise((resolve, reject) => {
      const stream = this.#session.request(
        { ':method': method, ':path': path, ...headers },
        { ...(signal && { signal }) },
      );
      let [status, text] = [0, ''];
      stream.setEncoding('utf8');
      stream.on('response', (answered) => (status = answered[':status']));
      stream.on('data', (chunk) => (text += chunk));
      stream.on('error', reject);
      stream.on('close', () => {
        if (status === 0) reject(new NoAnswer(`the stream was closed without an answer (${stream.rstCode})`));
        else resolve(answerOf(status, text));
      });
      stream.end(body);
    });
  }
}

const answerOf = (status, text) => ({ status, body: text.startsWith('{') ? JSON.parse(text) : text });
