// The built command as a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The file of the `instar` command. */
export const MAIN = fileURLToPath(new URL('../../../cli/bin/instar.js', import.meta.url));

/** One run of `instar`, with its output and exit status. */
export class Run {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly ended: Promise<number | NodeJS.Signals>;

  constructor(...args: readonly string[]) {
    if (!existsSync(MAIN)) throw new Error(`${MAIN} does not exist: run npm run build first`);
    this.child = spawn(process.execPath, [MAIN, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // `npm test` sets this, and the command would behave as under `npm start`.
      env: { ...process.env, npm_lifecycle_event: '' },
    });
    this.child.stdout!.on('data', (chunk: Buffer) => (this.stdout += chunk));
    this.child.stderr!.on('data', (chunk: Buffer) => (this.stderr += chunk));
    this.ended = new Promise((resolve) =>
      this.child.once('close', (code, signal) => resolve(code ?? signal!)),
    );
  }

  /** The address and the kubeconfig from the `ready` line. */
  async ready(): Promise<{ url: string; kubeconfig: string }> {
    const line = await new Promise<string>((resolve, reject) => {
      const check = (): void => void (this.stdout.includes('\n') && resolve(this.stdout));
      this.child.stdout!.on('data', check);
      void this.ended.then((how) => reject(new Error(`it ended with ${how}: ${this.stderr}`)));
      check();
    });
    const match = /^ready (https:\/\/\S+) kubeconfig (.+)\n/.exec(line);
    if (match === null) throw new Error(`not the line expected: ${line}`);
    return { url: match[1]!, kubeconfig: match[2]! };
  }

  /** Sends the signal, and SIGKILL if it does not exit. Returns the exit code or signal. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | NodeJS.Signals> {
    this.child.kill(signal);
    const force = setTimeout(() => this.child.kill('SIGKILL'), 15_000);
    const how = await this.ended;
    clearTimeout(force);
    return how;
  }
}
