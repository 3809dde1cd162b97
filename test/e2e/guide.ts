// A guide as a session at the command line: the files that it shows are written, its commands are run in order, and what they print is held
// against what the guide says they print.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { MAIN } from './server-process.ts';

export interface GuideStep {
  readonly command: string;
  /** What the guide says it prints, standard error included. */
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
  return new Map(blocksOf(markdown).flatMap(({ name, text }) => (name === undefined ? [] : [[name, text] as const])));
}

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

/** What differs from run to run. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/\b\d+(\.\d+)?(ms|s|m|h)\b/g, '0s'],
  [/in \d+(\.\d+)? s\./g, 'in 0 s.'],
  [/last \d+ (s|min) ago/g, 'last 0 s ago'],
  [/kubectl\/v1\.\d+\.\d+( \([^)]*\) kubernetes\/\w+)?/g, 'kubectl/v1'],
  [/\b\d+ reads, \d+ writes/g, '0 reads, 0 writes'],
  [/\bcrontabs-[a-z0-9]{5}\b/g, 'crontabs-…'],
  [/ +/g, ' '],
  [/[ \n]+$/gm, ''],
];

export const alike = (text: string): string => VARYING.reduce((result, [pattern, by]) => result.replace(pattern, by), text).trim();

/** A folder with the files of the guide, in which its commands run. */
export class GuideSession {
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;

  constructor(folder: string, files: ReadonlyMap<string, string>, kubeconfig: string) {
    const bin = join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'instar'), `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`, { mode: 0o755 });
    for (const [name, text] of files) writeFileSync(join(folder, name), text);
    this.#folder = folder;
    this.#env = { HOME: folder, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`, KUBECONFIG: kubeconfig };
  }

  /** Everything that it printed, on both streams, in the order in which it came. */
  run(command: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const child = spawn('sh', ['-c', `exec 2>&1\n${command}`], {
        cwd: this.#folder,
        env: this.#env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let printed = '';
      child.stdout.on('data', (chunk: Buffer) => (printed += chunk));
      child.once('error', reject);
      child.once('close', () => resolve(printed));
    });
  }
}
