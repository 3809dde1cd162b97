// Replays recordings of a real kube-apiserver (../shared beside the repository) against the built command,
// and says what differs.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Where the recordings are: beside the repository, unless said otherwise. */
export const shared =
  process.env['INSTAR_SHARED'] ?? fileURLToPath(new URL('../../../shared', import.meta.url));

/** Recordings are not part of the repository: without them there is nothing to compare with. CI has them. */
export const hasRecordings = existsSync(`${shared}/conformance/run.mjs`) || process.env['CI'] === 'true';

export interface Replay {
  readonly code: number;
  /** The lines that say what differs, and the last line with the count. */
  readonly output: string;
}

export function replay(
  script: 'conformance' | 'corpus',
  kubeconfig: string,
  args: readonly string[],
): Promise<Replay> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [`${shared}/${script}/run.mjs`, '--kubeconfig', kubeconfig, ...args],
      { cwd: root },
    );
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({
        code: code ?? 1,
        output: output
          .split('\n')
          .filter((line) => !line.startsWith('ok '))
          .join('\n'),
      }),
    );
  });
}
