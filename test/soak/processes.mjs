// The built server and the webhook kit, each a process with an inspector, through which its garbage is
// collected before its memory is measured.
import { spawn } from 'node:child_process';
import { createWriteStream, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'undici';

const COMMAND = fileURLToPath(new URL('../../packages/cli/bin/instar.js', import.meta.url));
const CALL_TIMEOUT_MS = 20_000;

export class Program {
  #child;
  #inspector;
  #calls = new Map();
  #lastCall = 0;
  ended;
  url;

  static async start(name, args, logFile) {
    const program = new Program();
    const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', COMMAND, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, npm_lifecycle_event: '' },
    });
    program.#child = child;
    program.ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
    const log = createWriteStream(logFile);
    child.stderr.pipe(log);
    const firstMatch = (stream, pattern) =>
      new Promise((resolve, reject) => {
        let text = '';
        stream.on('data', (chunk) => {
          const match = pattern.exec((text = (text + chunk).slice(-10_000)));
          if (match !== null) resolve(match[1]);
        });
        void program.ended.then((how) => reject(new Error(`${name} ended with ${how}: ${text}`)));
      });
    const [inspector, url] = await Promise.all([
      firstMatch(child.stderr, /Debugger listening on (ws:\S+)/),
      firstMatch(child.stdout, /^ready (https:\/\/\S+)/m),
    ]);
    program.url = url;
    await program.#attach(inspector);
    return program;
  }

  get pid() {
    return this.#child.pid;
  }

  get port() {
    return Number(new URL(this.url).port);
  }

  signal(name) {
    this.#child.kill(name);
  }

  /** Milliseconds until it has ended after SIGTERM, and how; SIGKILL after 30 seconds. */
  async terminate() {
    this.#inspector.close();
    const began = Date.now();
    this.signal('SIGTERM');
    const force = setTimeout(() => this.signal('SIGKILL'), 30_000);
    const how = await this.ended;
    clearTimeout(force);
    return { how, milliseconds: Date.now() - began };
  }

  /** Bytes after a garbage collection. */
  async memory() {
    await this.#call('HeapProfiler.collectGarbage');
    const expression = 'JSON.stringify(process.memoryUsage())';
    const { result } = await this.#call('Runtime.evaluate', { expression });
    const { heapUsed, external, rss } = JSON.parse(result.value);
    return { held: heapUsed + external, rss: this.#ownPages() ?? rss };
  }

  /** Without pages of the data file, which grows with its history and which the kernel takes back. */
  #ownPages() {
    try {
      const match = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'));
      return match === null ? undefined : Number(match[1]) * 1024;
    } catch {
      return undefined;
    }
  }

  descriptors() {
    return readdirSync(`/proc/${this.pid}/fd`).length;
  }

  async #attach(address) {
    const socket = new WebSocket(address);
    this.#inspector = socket;
    socket.addEventListener('error', () => undefined);
    socket.addEventListener('message', ({ data }) => {
      const { id, result } = JSON.parse(data);
      this.#calls.get(id)?.(result);
      this.#calls.delete(id);
    });
    await new Promise((resolve) => socket.addEventListener('open', resolve));
  }

  #call(method, params = {}) {
    const id = ++this.#lastCall;
    this.#inspector.send(JSON.stringify({ id, method, params }));
    const answer = new Promise((resolve) => this.#calls.set(id, resolve));
    const late = sleep(CALL_TIMEOUT_MS, undefined, { ref: false }).then(() => {
      throw new Error(`the inspector did not answer ${method} within ${CALL_TIMEOUT_MS} ms`);
    });
    return Promise.race([answer, late]);
  }
}

/** URL, CA and token of a server's admin. */
export function accessOf(kubeconfig, url) {
  const text = readFileSync(kubeconfig, 'utf8');
  const field = (name) => new RegExp(`${name}: (\\S+)`).exec(text)[1];
  return {
    url,
    port: Number(new URL(url).port),
    ca: Buffer.from(field('certificate-authority-data'), 'base64').toString(),
    token: field('token'),
  };
}
