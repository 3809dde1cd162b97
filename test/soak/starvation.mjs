// How long the processes of the soak waited for a processor. On a machine that is busy with other work a
// connection may time out although nothing is wrong with the server; only then is that explained.
import { existsSync, readFileSync } from 'node:fs';

const SAMPLE_MS = 500;
const KEPT_SAMPLES = 240;
/** Waiting so long, all together, explains that a request got no answer: half of the shortest timeout. */
const MIN_WAITED_MS = 5_000;

export class Starvation {
  #pids;
  #samples = [];
  #timer;

  constructor(pids) {
    this.#pids = pids;
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS);
    this.#sample();
  }

  /** Whether the processes waited long enough since then. */
  explains(began) {
    this.#sample();
    const before = this.#samples.findLast(({ time }) => time <= began) ?? this.#samples[0];
    const now = this.#samples.at(-1);
    const waited = now.waited.map((milliseconds, at) => milliseconds - before.waited[at]);
    return waited.reduce((sum, milliseconds) => sum + milliseconds, 0) >= MIN_WAITED_MS;
  }

  /** The share of the time that each process waited, in percent. */
  shares() {
    const [first, last] = [this.first, this.#samples.at(-1)];
    return last.waited.map((waited, at) =>
      Math.round(((waited - first.waited[at]) / Math.max(1, last.time - first.time)) * 100),
    );
  }

  stop() {
    clearInterval(this.#timer);
  }

  #sample() {
    const waited = this.#pids.map(waitedMs);
    this.#samples.push({ time: Date.now(), waited });
    this.first ??= this.#samples[0];
    if (this.#samples.length > KEPT_SAMPLES) this.#samples.shift();
  }
}

/** How long the main thread was ready to run and did not. */
function waitedMs(pid) {
  const file = `/proc/${pid}/task/${pid}/schedstat`;
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[1]) / 1e6 : 0;
}
