// A minimal HTTPS client for an API server: one keep-alive connection pool, JSON in and out, and a line
// reader for watches.

import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';

/**
 * Reads the few fields of a kubeconfig this tool needs (JSON, or YAML in the flat style that kubectl and most
 * servers write).
 */
export function readKubeconfig(file) {
  const text = fs.readFileSync(file, 'utf8');
  const field = (name) => text.match(new RegExp(`["']?${name}["']?:\\s*["']?([^"'\\s,}]+)`))?.[1];
  const decode = (name) =>
    field(`${name}-data`)
      ? Buffer.from(field(`${name}-data`), 'base64')
      : field(name) && fs.readFileSync(field(name));
  return {
    base: field('server'),
    token: field('token'),
    ca: decode('certificate-authority'),
    cert: decode('client-certificate'),
    key: decode('client-key'),
  };
}

export class Client {
  constructor({ base, token, ca, cert, key }) {
    this.url = new URL(base);
    this.token = token;
    this.lib = this.url.protocol === 'https:' ? https : http;
    this.agent = new this.lib.Agent({ keepAlive: true, ca, cert, key, rejectUnauthorized: Boolean(ca) });
  }

  #open(method, path, headers, body) {
    const payload =
      body === undefined
        ? undefined
        : Buffer.isBuffer(body) || typeof body === 'string'
          ? Buffer.from(body)
          : Buffer.from(JSON.stringify(body));
    const all = { 'user-agent': 'conformance/1', accept: 'application/json', ...headers };
    if (this.token && all.authorization === undefined) all.authorization = `Bearer ${this.token}`;
    if (all.authorization === null) delete all.authorization;
    if (payload) {
      all['content-type'] ??= 'application/json';
      all['content-length'] = payload.length;
    }
    return new Promise((resolve, reject) => {
      const req = this.lib.request(
        new URL(path, this.url),
        { method, headers: all, agent: this.agent },
        resolve,
      );
      req.on('error', reject);
      req.end(payload);
    });
  }

  /**
   * One request, read whole: { status, headers, body } with body parsed when it is JSON. An answer that does
   * not end in a minute (a watch that should have been refused, say) is an error.
   */
  async request(method, path, { headers = {}, body } = {}) {
    const res = await this.#open(method, path, headers, body);
    const timer = setTimeout(
      () => res.destroy(new Error(`the answer to ${method} ${path} (${res.statusCode}) did not end`)),
      60_000,
    );
    const chunks = [];
    try {
      for await (const c of res) chunks.push(c);
    } finally {
      clearTimeout(timer);
    }
    const text = Buffer.concat(chunks).toString('utf8');
    let parsed = text;
    if (/json/.test(res.headers['content-type'] ?? '')) {
      try {
        parsed = JSON.parse(text);
      } catch {
        /* keep the text */
      }
    }
    return { status: res.statusCode, headers: res.headers, body: parsed };
  }

  /**
   * Opens a watch and collects events until `count` have come or `timeoutMs` has passed; bookmarks count only
   * when asked for.
   */
  async watch(path, { count = 1, timeoutMs = 5000, headers = {}, bookmarks = false } = {}) {
    const res = await this.#open('GET', path, headers);
    const events = [];
    let done;
    const ended = new Promise((r) => {
      done = r;
    });
    const timer = setTimeout(done, timeoutMs);
    let rest = '';
    res.on('data', (chunk) => {
      rest += chunk;
      for (let i; (i = rest.indexOf('\n')) >= 0; rest = rest.slice(i + 1)) {
        const line = rest.slice(0, i).trim();
        if (!line) continue;
        const event = JSON.parse(line);
        if (event.type === 'BOOKMARK' && !bookmarks) continue;
        events.push(event);
        if (events.length >= count) done();
      }
    });
    res.on('end', done);
    res.on('error', done);
    const opened = { status: res.statusCode };
    return {
      opened,
      finish: async () => {
        await ended;
        clearTimeout(timer);
        res.destroy();
        return events;
      },
    };
  }
}
