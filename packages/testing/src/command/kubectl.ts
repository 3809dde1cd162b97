// The kubectl binaries of this machine, each run with its own home directory.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

export interface KubectlBinary {
  readonly path: string;
  /** 27 for 1.27. */
  readonly minor: number;
}

/** For describeUnless. */
export function missingKubectl(): string | undefined {
  return findKubectls().length > 0
    ? undefined
    : 'there is no kubectl on PATH (Debian: apt-get install kubernetes-client)';
}

/** Every release found beside the kubectl on PATH, oldest first; that one itself if there are no others. */
export function findKubectls(): KubectlBinary[] {
  const main = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((directory) => join(directory, 'kubectl'))
    .find((path) => existsSync(path));
  if (main === undefined) return [];
  const beside = dirname(realpathSync(main));
  const minors = [27, 28, 29, 30, 31, 32, 33];
  const found = minors
    .map((minor) => ({ path: join(beside, `kubectl.1.${minor}`), minor }))
    .filter(({ path }) => existsSync(path));
  return found.length > 0 ? found : [{ path: main, minor: minorOf(main) }];
}

function minorOf(path: string): number {
  const answer = JSON.parse(execFileSync(path, ['version', '--client', '-o', 'json']).toString()) as {
    clientVersion: { minor: string };
  };
  return Number.parseInt(answer.clientVersion.minor, 10);
}

/** How a run of kubectl ended. */
export interface KubectlResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A kubectl of one version, with a kubeconfig. */
export class Kubectl {
  readonly minor: number;
  readonly #path: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #home = mkdtempSync(join(tmpdir(), 'instar-kubectl-'));

  constructor(binary: KubectlBinary, kubeconfig: string) {
    this.minor = binary.minor;
    this.#path = binary.path;
    this.#env = {
      PATH: process.env['PATH'] ?? '',
      HOME: this.#home,
      KUBECACHEDIR: join(this.#home, 'cache'),
      KUBECONFIG: kubeconfig,
    };
  }

  remove(): void {
    rmSync(this.#home, { recursive: true, force: true });
  }

  spawn(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
    return spawn(this.#path, args, { env: { ...this.#env, ...env } });
  }

  run(args: readonly string[], options: RunOptions = {}): Promise<KubectlResult> {
    return new Promise((resolve, reject) => {
      const child = this.spawn(args, options.env);
      let [stdout, stderr] = ['', ''];
      child.stdout!.on('data', (chunk: Buffer) => (stdout += chunk));
      child.stderr!.on('data', (chunk: Buffer) => (stderr += chunk));
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, stdout, stderr }));
      // A command that does not read its input may exit before it is written.
      child.stdin!.on('error', () => undefined);
      child.stdin!.end(options.stdin ?? '');
    });
  }

  /** Standard output of a command that must succeed. */
  async ok(args: readonly string[], options: RunOptions = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, options);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${code}\n${stdout}${stderr}`);
    return stdout;
  }
}

/** Splits a command line into words; words with spaces are in single quotes. */
export const words = (line: string): string[] =>
  (line.match(/(?:[^\s']|'[^']*')+/g) ?? []).map((word) => word.replaceAll("'", ''));
