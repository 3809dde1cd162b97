// Texts that another tool renders: kustomize:DIR and helm:CHART. What overlays and charts add, conversion
// webhooks above all, is in no file as it is written.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CommandFailure } from '../../exit-with-message.ts';
import type { SourceText } from './parse-source.ts';

const MAX_BYTES = 256 * 1024 * 1024;
const TIMEOUT_MS = 120_000;
const run = promisify(execFile);

export async function readKustomize(directory: string): Promise<SourceText[]> {
  const commands = [
    ['kustomize', 'build', directory],
    ['kubectl', 'kustomize', directory],
  ];
  return [{ file: `kustomize:${directory}`, text: await firstInstalled(commands, 'kustomize or kubectl') }];
}

/** `values` are files, in their order. */
export async function readHelm(chart: string, values: readonly string[]): Promise<SourceText[]> {
  const flags = values.flatMap((file) => ['--values', file]);
  const commands = [['helm', 'template', 'check', chart, '--include-crds', ...flags]];
  return [{ file: `helm:${chart}`, text: await firstInstalled(commands, 'helm') }];
}

/** What the first of the commands prints whose program is on PATH. */
async function firstInstalled(commands: readonly string[][], needed: string): Promise<string> {
  for (const [program = '', ...args] of commands) {
    try {
      return (await run(program, args, { maxBuffer: MAX_BYTES, timeout: TIMEOUT_MS, encoding: 'utf8' }))
        .stdout;
    } catch (error) {
      const { code, stderr, message } = error as Error & { code?: string; stderr?: string };
      if (code !== 'ENOENT') throw new CommandFailure(`${program}: ${(stderr || message).trim()}`, 2);
    }
  }
  throw new CommandFailure(
    `this source needs ${needed} on PATH; or render it yourself and name the file, - for standard input`,
    2,
  );
}
