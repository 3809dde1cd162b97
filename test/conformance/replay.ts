// Replays recordings of a real kube-apiserver against a server in its own process, and returns the
// differences.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CORPUS, RECORDINGS } from '@instar/testing';

const DEPARTURES = fileURLToPath(new URL('departures.json', import.meta.url));

export interface Replay {
  readonly code: number;
  /** The lines with differences, and the last line with the count. */
  readonly output: string;
}

/** The scenarios whose id contains the text. */
export const replayRecordings = (kubeconfig: string, only: string): Promise<Replay> =>
  replay(join(RECORDINGS, 'run.mjs'), kubeconfig, '--only', only, '--departures', DEPARTURES);

export const replayCorpus = (kubeconfig: string, kind: string): Promise<Replay> =>
  replay(join(CORPUS, 'run.mjs'), kubeconfig, '--kind', kind);

function replay(script: string, kubeconfig: string, ...args: readonly string[]): Promise<Replay> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, '--kubeconfig', kubeconfig, ...args]);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output: withoutPassed(output) }));
  });
}

const withoutPassed = (output: string): string =>
  output
    .split('\n')
    .filter((line) => !line.startsWith('ok '))
    .join('\n');
