// Watches that come and go over HTTP/1.1, HTTP/2 and WebSockets. The events of each, added to the list that
// it started from, must give the list at the resource version of its last event.
import http2 from 'node:http2';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, WebSocket } from 'undici';
import { Client, CONNECT_MS, isWithoutAnswer, NoAnswer } from './client.mjs';
import { GADGETS, MAPS } from './definitions.mjs';

export class Watcher {
  constructor(soak, transport, random) {
    this.soak = soak;
    this.transport = transport;
    this.sort = `watch (${transport})`;
    this.random = random;
    this.client = new Client(soak.access, transport === 'h2' ? 'h2' : 'h1');
  }

  async run() {
    while (!this.soak.isOver()) {
      const began = Date.now();
      try {
        await this.#watchOnce();
      } catch (error) {
        if (isWithoutAnswer(error) && this.soak.starvation.explains(began))
          this.soak.report.explained(this.sort);
        else this.soak.report.fault(this.sort, error.stack ?? error);
        await sleep(500);
      }
    }
  }

  close() {
    return this.client.close();
  }

  async #watchOnce() {
    const path = this.random.pick([MAPS, GADGETS]);
    const { body: list } = await this.#get(path);
    const held = new Map(list.items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
    const from = list.metadata.resourceVersion;
    let last = Number(from);
    const onEvent = ({ type, object }) => {
      this.soak.report.done(this.sort);
      if (type === 'ERROR') throw new Error(`the watch got ${JSON.stringify(object)}`);
      const { name, resourceVersion } = object.metadata;
      if (Number(resourceVersion) <= last)
        throw new Error(`an event at ${resourceVersion} came after ${last}`);
      last = Number(resourceVersion);
      if (type === 'DELETED') held.delete(name);
      else held.set(name, resourceVersion);
    };
    const seconds = this.random.between(2, 12);
    const query = `?watch=true&resourceVersion=${from}&timeoutSeconds=${seconds}`;
    // Some are left by the client, in the middle of whatever is sent.
    const leaveAfterMs = this.random.between(0, 3) === 0 ? this.random.between(0, 2_000) : undefined;
    await TRANSPORTS[this.transport](this.soak.access, path + query, onEvent, leaveAfterMs);
    // A copy: after a client has left, what was already sent may still arrive.
    await this.#compare(path, last, new Map(held));
  }

  async #compare(path, version, held) {
    const { status, body } = await this.#get(`${path}?resourceVersion=${version}&resourceVersionMatch=Exact`);
    if (status === 410) return;
    const now = new Map(body.items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
    const wrong = [...new Set([...held.keys(), ...now.keys()])].filter(
      (name) => held.get(name) !== now.get(name),
    );
    if (wrong.length > 0)
      throw new Error(`at ${version} the events and the list differ in ${wrong.join(', ')}`);
  }

  async #get(path) {
    const answer = await this.client.send('GET', path);
    if (answer.status !== 200 && answer.status !== 410) throw new Error(`GET ${path}: ${answer.status}`);
    return answer;
  }
}

/** Parses the lines of a stream; an error in `onEvent` ends it. */
function readLines(stream, onEvent, onError) {
  let partial = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk) => {
    const lines = (partial + chunk).split('\n');
    partial = lines.pop();
    try {
      for (const line of lines) onEvent(JSON.parse(line));
    } catch (error) {
      onError(error);
    }
  });
}

const TRANSPORTS = {
  h1: ({ port, ca, token }, path, onEvent, leaveAfterMs) =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` };
      const request = https.get({ host: '127.0.0.1', port, ca, path, headers, agent: false }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`the watch got ${response.statusCode}`));
        readLines(response, onEvent, (error) => {
          reject(error);
          request.destroy();
        });
        response.once('end', resolve);
      });
      leaveLater(leaveAfterMs, resolve, () => request.destroy());
      request.once('error', reject);
    }),
  h2: ({ url, ca, token }, path, onEvent, leaveAfterMs) =>
    new Promise((resolve, reject) => {
      const session = http2.connect(url, { ca });
      session.on('error', reject);
      const stream = session.request({ ':path': path, authorization: `Bearer ${token}` });
      stream.on('response', ({ ':status': status }) => {
        if (status !== 200) reject(new Error(`the watch got ${status}`));
      });
      readLines(stream, onEvent, (error) => {
        reject(error);
        stream.close(http2.constants.NGHTTP2_CANCEL);
      });
      leaveLater(leaveAfterMs, resolve, () => stream.close(http2.constants.NGHTTP2_CANCEL));
      stream.once('error', reject);
      stream.once('close', () => {
        session.close();
        resolve();
      });
    }),
  WebSocket: async ({ url, ca, token }, path, onEvent, leaveAfterMs) => {
    const dispatcher = new Agent({ connect: { ca, timeout: CONNECT_MS } });
    const headers = { authorization: `Bearer ${token}`, origin: url };
    const socket = new WebSocket(url.replace('https', 'wss') + path, { dispatcher, headers });
    try {
      await new Promise((resolve, reject) => {
        socket.addEventListener('message', ({ data }) => {
          try {
            onEvent(JSON.parse(data));
          } catch (error) {
            reject(error);
          }
        });
        leaveLater(leaveAfterMs, resolve, () => undefined);
        socket.addEventListener('error', ({ error }) =>
          reject(new NoAnswer(`the WebSocket failed: ${error}`)),
        );
        socket.addEventListener('close', resolve);
      });
    } finally {
      await dispatcher.destroy();
    }
  },
};

/** What comes after the client has left is no longer of interest. */
function leaveLater(milliseconds, resolve, leave) {
  if (milliseconds === undefined) return;
  setTimeout(() => {
    resolve();
    leave();
  }, milliseconds);
}
