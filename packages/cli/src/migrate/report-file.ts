// The report of a migration: one line of JSON per object, appended as it comes, so that it takes no memory
// and a crash loses little.

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import type { ReportEntry } from '@instar/migrate';
import { CommandFailure } from '../exit-with-message.ts';
import { writeProblem } from '../file-problem.ts';

export class ReportFile {
  readonly #stream: WriteStream;

  private constructor(stream: WriteStream) {
    this.#stream = stream;
  }

  static async open(path: string, append: boolean): Promise<ReportFile> {
    const stream = createWriteStream(path, { flags: append ? 'a' : 'w' });
    await once(stream, 'open').catch((error: unknown) => {
      throw new CommandFailure(`--report: ${writeProblem(error, path)}`);
    });
    return new ReportFile(stream);
  }

  add(entry: ReportEntry): void {
    this.#stream.write(`${JSON.stringify(entry)}\n`);
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#stream.end(() => resolve()));
  }
}
