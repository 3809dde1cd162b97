// The progress of the proof: one line that is overwritten, on a terminal only.
import type { ProofProgress } from '@instar/lens/proof';

const EVERY_MS = 100;

export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  #shownAt = 0;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  show({ from, to, done, total }: ProofProgress): void {
    const now = Date.now();
    if (this.#stream.isTTY !== true || now - this.#shownAt < EVERY_MS) return;
    this.#shownAt = now;
    this.#stream.write(
      `\r\x1b[2K${from} → ${to}: ${done.toLocaleString('en')} of ${total.toLocaleString('en')} objects`,
    );
  }

  end(): void {
    if (this.#shownAt > 0) this.#stream.write('\r\x1b[2K');
  }
}
