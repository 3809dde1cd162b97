// The client's end of a watch: reads everything immediately, or only when `read` is called.
import type { ByteSink, StreamBody } from '../wire/exchange.ts';
import type { Json } from './test-api.ts';

export class TestSink implements ByteSink {
  readonly #reads: boolean;
  #text = '';
  #unread: Uint8Array[] = [];
  #stop: (() => void) | undefined;
  #drained: (() => void)[] = [];
  #changed: (() => void)[] = [];
  ended = false;
  destroyed = false;
  /** The most bytes that were ever unread. */
  maxPending = 0;

  constructor({ reads = true } = {}) {
    this.#reads = reads;
  }

  begin(body: StreamBody): void {
    this.#stop = body.start(this);
  }

  get pending(): number {
    return this.#unread.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  }

  write(chunk: Uint8Array): void {
    if (this.ended || this.destroyed) return;
    this.#unread.push(chunk);
    this.maxPending = Math.max(this.maxPending, this.pending);
    if (this.#reads) this.read();
  }

  /** Reads everything that is unread. */
  read(): void {
    this.#text += Buffer.concat(this.#unread).toString('utf8');
    this.#unread = [];
    for (const done of this.#drained.splice(0)) done();
    for (const done of this.#changed.splice(0)) done();
  }

  drained(): Promise<void> {
    if (this.#unread.length === 0 || this.ended || this.destroyed) return Promise.resolve();
    return new Promise((resolve) => this.#drained.push(resolve));
  }

  end(): void {
    this.ended = true;
    this.#closed();
  }

  destroy(): void {
    this.destroyed = true;
    this.#closed();
  }

  /** The client disconnects. */
  leave(): void {
    this.destroyed = true;
    this.#closed();
    this.#stop?.();
  }

  get events(): Json[] {
    return this.#text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  /** "TYPE name", or "TYPE" if the object has no name. */
  get summary(): string[] {
    return this.events.map(({ type, object }) =>
      object.metadata?.name === undefined ? type : `${type} ${object.metadata.name}`,
    );
  }

  /** Resolves when that many events have arrived, or the stream has ended. */
  async until(count: number): Promise<string[]> {
    while (this.events.length < count && !this.ended && !this.destroyed)
      await new Promise<void>((resolve) => this.#changed.push(resolve));
    return this.summary;
  }

  async untilClosed(): Promise<void> {
    while (!this.ended && !this.destroyed) await new Promise<void>((resolve) => this.#changed.push(resolve));
  }

  #closed(): void {
    for (const done of this.#drained.splice(0)) done();
    for (const done of this.#changed.splice(0)) done();
  }
}
