// What a suite gets: a scratch folder, servers of the built command, programs with a time limit.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The end of a program's output that is kept for a failure. */
const MAX_OUTPUT_CHARACTERS = 100_000;

export class Context {
  /** The root of the repository. */
  root = fileURLToPath(new URL('../..', import.meta.url));
  /** Empty at first, and removed afterwards. */
  folder;
  #servers = [];

  /** Whether the suite was named: some have more specs than CI has time for. */
  isNamed;

  constructor(suite, isNamed = false) {
    this.isNamed = isNamed;
    this.folder = mkdtempSync(join(tmpdir(), `instar-outside-${suite}-`));
  }

  /** A server in its own process, which ends with the suite; the settings are those of ServerProcess. */
  async startServer(settings = { storage: 'memory' }) {
    const { ServerProcess } = await import('../../packages/testing/dist/command/server-process.js');
    const server = await ServerProcess.start(settings);
    this.#servers.push(server);
    return server;
  }

  /**
   * Runs a program to its end. `onLine` gets each line of its standard output as it comes. It is killed, with
   * its children, after `timeoutMs`.
   */
  run(program, args, { cwd = this.folder, env = {}, timeoutMs = 600_000, onLine } = {}) {
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, {
        cwd,
        env: { ...process.env, ...env },
        stdio: [onLine === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
        detached: true,
      });
      let [stdout, stderr, partial] = ['', '', ''];
      let isTimedOut = false;
      const timer = setTimeout(() => {
        isTimedOut = true;
        process.kill(-child.pid, 'SIGKILL');
      }, timeoutMs);
      child.stdout.on('data', (chunk) => {
        stdout = (stdout + chunk).slice(-MAX_OUTPUT_CHARACTERS);
        if (onLine === undefined) return;
        const lines = (partial + chunk).split('\n');
        partial = lines.pop();
        for (const line of lines) onLine(line, child);
      });
      child.stderr.on('data', (chunk) => (stderr = (stderr + chunk).slice(-MAX_OUTPUT_CHARACTERS)));
      child.stdin?.on('error', () => undefined);
      child.once('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
      child.once('close', (code) => {
        clearTimeout(timer);
        if (isTimedOut) reject(new Error(`${program} took over ${timeoutMs} ms\n${stdout}${stderr}`));
        else resolve({ code, stdout, stderr });
      });
    });
  }

  /** Starts a program beside a server; returns how to end it. */
  start(program, args) {
    const child = spawn(program, args, { cwd: this.folder, stdio: 'ignore' });
    const ended = new Promise((resolve, reject) => child.once('exit', resolve).once('error', reject));
    return async () => {
      child.kill('SIGTERM');
      await ended;
    };
  }

  /** Ends the servers and removes the folder. */
  async close() {
    await Promise.all(this.#servers.map((server) => server.remove()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
