// Runs the command in this process and returns its output and exit code. For tests.
import { createProgram } from '../program.ts';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

class Exit extends Error {}

export async function runCommand(...args: string[]): Promise<Ended> {
  const ended = { code: 0, stdout: '', stderr: '' };
  const restore = [
    capture(process.stdout, (text) => (ended.stdout += text)),
    capture(process.stderr, (text) => (ended.stderr += text)),
  ];
  const { exitCode, exit } = process;
  process.exit = (code) => {
    process.exitCode = code ?? 0;
    throw new Exit();
  };
  try {
    await createProgram().parseAsync(['node', 'instar', ...args]);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
  } finally {
    ended.code = Number(process.exitCode ?? 0);
    process.exitCode = exitCode;
    process.exit = exit;
    for (const one of restore) one();
  }
  return ended;
}

function capture(stream: NodeJS.WriteStream, take: (text: string) => void): () => void {
  const { write } = stream;
  stream.write = (text: string | Uint8Array) => {
    take(String(text));
    return true;
  };
  return () => void (stream.write = write);
}
