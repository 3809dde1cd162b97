// Writes events as lines. What arrives while a write is under way goes into the next one together.
import type { AuditBackend, ReportLoss } from '../backend.ts';
import { type AuditEvent, legacyLine } from '../event.ts';

/** A file or a stream; `write` is called again only when the last call has ended. */
export interface LineSink {
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  readonly events: readonly AuditEvent[];
  readonly done: (written: boolean) => void;
}

/** Longer writes would hold up the process while they are put together. */
const MAX_WRITE_CHARACTERS = 4 * 1024 * 1024;

export class LogBackend implements AuditBackend {
  readonly #sink: LineSink;
  readonly #print: (event: AuditEvent) => string;
  readonly #report: ReportLoss;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor(sink: LineSink, format: 'json' | 'legacy', report: ReportLoss) {
    this.#sink = sink;
    this.#print = format === 'legacy' ? legacyLine : (event) => event.json;
    this.#report = report;
  }

  process(events: readonly AuditEvent[]): Promise<boolean> {
    return new Promise((done) => {
      this.#waiting.push({ events, done });
      this.#writing ??= this.#writeAll();
    });
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#sink.close();
  }

  async #writeAll(): Promise<void> {
    // What other requests send within this turn of the event loop goes along.
    await new Promise((resume) => setImmediate(resume));
    while (this.#waiting.length > 0) await this.#writeSome();
    this.#writing = undefined;
  }

  async #writeSome(): Promise<void> {
    let text = '';
    let count = 0;
    while (count < this.#waiting.length && text.length < MAX_WRITE_CHARACTERS)
      for (const event of this.#waiting[count++]!.events) text += `${this.#print(event)}\n`;
    const batch = this.#waiting.splice(0, count);
    try {
      await this.#sink.write(Buffer.from(text));
      for (const { done } of batch) done(true);
    } catch (error) {
      const events = batch.flatMap((one) => one.events);
      this.#report('log', error, events);
      for (const { done } of batch) done(false);
    }
  }
}

/** Standard output, which the server does not close. */
export const STANDARD_OUTPUT: LineSink = {
  write: (bytes) =>
    new Promise((resolve, reject) =>
      process.stdout.write(bytes, (error) => (error ? reject(error) : resolve())),
    ),
  close: async () => {},
};
