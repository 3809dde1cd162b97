// A guide as a session at the command line: the files that it shows are written, its commands are run in
// order, and their output is compared with the output in the guide.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { MAIN } from '@instar/testing/command';

export interface GuideStep {
  readonly command: string;
  /** The output in the guide, including standard error. */
  readonly expected: string;
}

interface Block {
  readonly language: string;
  readonly name: string | undefined;
  readonly text: string;
}

function blocksOf(markdown: string): Block[] {
  const found = [...markdown.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)];
  return found.map(([, language, name, text]) => ({ language: language!, name, text: text! }));
}

export function filesOf(markdown: string): ReadonlyMap<string, string> {
  return new Map(
    blocksOf(markdown).flatMap(({ name, text }) => (name === undefined ? [] : [[name, text] as const])),
  );
}

/** The commands at the beginning of a session. */
export const prologueOf = (markdown: string): string =>
  blocksOf(markdown)
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text)
    .join('');

export function stepsOf(markdown: string): GuideStep[] {
  const sessions = blocksOf(markdown).filter(({ language }) => language === 'console');
  return sessions.flatMap(({ text }) =>
    text
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const end = part.indexOf('\n');
        return { command: part.slice(0, end), expected: part.slice(end + 1) };
      }),
  );
}

/** Output that differs between runs. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/\b\d+(\.\d+)?(ms|s|m|h)\b/g, '0s'],
  [/in \d+(\.\d+)? s\./g, 'in 0 s.'],
  [/last \d+ (s|min) ago/g, 'last 0 s ago'],
  [/kubectl\/v1\.\d+\.\d+( \([^)]*\) kubernetes\/\w+)?/g, 'kubectl/v1'],
  [/\b\d+ reads, \d+ writes/g, '0 reads, 0 writes'],
  [/\bcrontabs-[a-z0-9]{5}\b/g, 'crontabs-…'],
  // Printed unless the server is quicker.
  [/^crontabs-…: (waiting for the server to start|The migration is running)\n/gm, ''],
  [/ +/g, ' '],
  [/[ \n]+$/gm, ''],
];

export const alike = (text: string): string =>
  VARYING.reduce((result, [pattern, by]) => result.replace(pattern, by), text).trim();

/** For a guide that does not define the command and the server itself. */
export function prologueFor(folder: string, kubeconfig: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'instar'), `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`, { mode: 0o755 });
  return `export PATH=${bin}${delimiter}$PATH KUBECONFIG=${kubeconfig}\n`;
}

/** A folder with the files of the guide, where its commands run. */
export class GuideSession {
  readonly #folder: string;
  readonly #prologue: string;
  readonly #env: Readonly<Record<string, string>>;
  /** Process groups that a command has left running. */
  readonly #left = new Set<number>();

  constructor(folder: string, files: ReadonlyMap<string, string>, prologue: string) {
    for (const [name, text] of files) writeFileSync(join(folder, name), text);
    this.#folder = folder;
    this.#prologue = prologue;
    this.#env = { HOME: folder, PATH: process.env['PATH'] ?? '' };
  }

  /** Everything that it printed, on both streams, in order. */
  run(command: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const child = spawn('sh', ['-c', `exec 2>&1\n${this.#prologue}${command}`], {
        cwd: this.#folder,
        env: this.#env,
        detached: true,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let printed = '';
      child.stdout.on('data', (chunk: Buffer) => (printed += chunk));
      child.once('error', reject);
      child.once('close', () => {
        if (signal(child.pid!, 0)) this.#left.add(child.pid!);
        resolve(printed);
      });
    });
  }

  /** True if a process that a command started in the background is still running. */
  get isRunning(): boolean {
    for (const group of this.#left) if (!signal(group, 0)) this.#left.delete(group);
    return this.#left.size > 0;
  }

  end(): void {
    if (this.isRunning) for (const group of this.#left) signal(group, 'SIGKILL');
  }
}

/** False if the group does not exist. */
function signal(group: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, name);
  } catch {
    return false;
  }
}
