// What clients saw: how many requests of which sort, and everything that must not have happened.

const MAX_FAULTS = 40;

export class Report {
  /** Sort of client → { done, explained, slowestMs }. */
  counts = new Map();
  faults = [];
  faultCount = 0;

  #of(sort) {
    const found = this.counts.get(sort) ?? { done: 0, explained: 0, slowestMs: 0 };
    this.counts.set(sort, found);
    return found;
  }

  done(sort, milliseconds = 0) {
    const counts = this.#of(sort);
    counts.done++;
    counts.slowestMs = Math.max(counts.slowestMs, milliseconds);
  }

  /** An error that a fault made on purpose explains. */
  explained(sort) {
    this.#of(sort).explained++;
  }

  fault(sort, message) {
    this.faultCount++;
    const text = `${new Date().toISOString()} ${sort}: ${String(message).slice(0, 600)}`;
    if (this.faults.length < MAX_FAULTS) this.faults.push(text);
    console.error(`FAULT ${text}`);
  }
}
