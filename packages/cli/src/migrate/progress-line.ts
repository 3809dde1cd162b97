// The progress of a migration: one line that is overwritten on a terminal, a line now and then elsewhere.
import type { WriteStream } from 'node:tty';
import { type Pace, type Progress, totalOf } from '@instar/migrate';

const ON_TERMINAL_MS = 100;
const ELSEWHERE_MS = 5_000;
const BAR = 24;
/**
 * The rate is that of the last seconds, so that it is right for a migration that was resumed or slowed down.
 */
const WINDOW_MS = 5_000;

export class ProgressLine {
  readonly #name: string;
  readonly #stream: NodeJS.WriteStream;
  readonly #pace: Pick<Pace, 'isPaused'>;
  readonly #samples: { at: number; done: number }[] = [];
  #last: Progress | undefined;
  #shownAt = 0;
  #isShown = false;

  constructor(name: string, stream: NodeJS.WriteStream, pace: Pick<Pace, 'isPaused'>) {
    this.#name = name;
    this.#stream = stream;
    this.#pace = pace;
  }

  /** Shows immediately that it was paused or resumed. */
  refresh(): void {
    this.#shownAt = 0;
    if (this.#last !== undefined) this.show(this.#last);
  }

  show(progress: Progress): void {
    this.#last = progress;
    const now = Date.now();
    const done = totalOf(progress.counts);
    if (this.#samples.length === 0) {
      this.#samples.push({ at: now, done });
      this.#shownAt = now;
    }
    if (now - this.#shownAt < (this.#stream.isTTY ? ON_TERMINAL_MS : ELSEWHERE_MS)) return;
    this.#shownAt = now;
    this.#samples.push({ at: now, done });
    while (this.#samples.length > 2 && now - this.#samples[0]!.at > WINDOW_MS) this.#samples.shift();
    const text = progressText(this.#name, progress, this.#rate(), this.#pace.isPaused);
    this.#stream.write(this.#stream.isTTY ? `\r\x1b[2K${cut(text, this.#stream)}` : `${text}\n`);
    this.#isShown = true;
  }

  end(): void {
    if (this.#isShown && this.#stream.isTTY) this.#stream.write('\n');
    this.#isShown = false;
  }

  #rate(): number {
    const [first, last] = [this.#samples[0]!, this.#samples.at(-1)!];
    return last.at === first.at ? 0 : ((last.done - first.done) * 1000) / (last.at - first.at);
  }
}

const cut = (text: string, stream: NodeJS.WriteStream): string =>
  text.slice(0, ((stream as WriteStream).columns ?? 80) - 1);

export function progressText(
  name: string,
  { counts, total }: Progress,
  rate: number,
  isPaused: boolean,
): string {
  const done = totalOf(counts);
  const share = total === undefined || total === 0 ? undefined : Math.min(1, done / total);
  const filled = Math.round((share ?? 0) * BAR);
  const bar =
    share === undefined
      ? ''
      : ` [${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}] ${Math.floor(share * 100)}%`;
  const of = total === undefined ? '' : `/${total.toLocaleString('en')}`;
  const left =
    total !== undefined && rate > 0 ? `, ${Math.ceil(Math.max(0, total - done) / rate)} s left` : '';
  const failed = counts.failed > 0 ? `, ${counts.failed.toLocaleString('en')} failed` : '';
  const speed = isPaused ? ', paused' : `, ${Math.round(rate).toLocaleString('en')}/s${left}`;
  return `${name}${bar} ${done.toLocaleString('en')}${of}${speed}${failed}`;
}
