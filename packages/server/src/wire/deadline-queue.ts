// Many deadlines of the same length with one timer: the oldest entry expires first, so only it is watched.
// A linked list whose entries are unlinked when they leave it: in V8, an object of the old generation (an
// entry, or an outgrown table of a Set) keeps everything that it refers to alive until the next full
// collection; here that would be a chain of whole requests.

export interface Expiry {
  cancel(): void;
}

class Entry implements Expiry {
  readonly at: number;
  expire: (() => void) | undefined;
  before: Entry = this;
  after: Entry = this;

  constructor(at: number, expire: (() => void) | undefined) {
    this.at = at;
    this.expire = expire;
  }

  putBefore(other: Entry): void {
    this.after = other;
    this.before = other.before;
    this.before.after = this;
    other.before = this;
  }

  cancel(): void {
    this.before.after = this.after;
    this.after.before = this.before;
    this.before = this;
    this.after = this;
    this.expire = undefined;
  }
}

export class DeadlineQueue {
  readonly #timeoutMs: number;
  /** Between the newest and the oldest entry. */
  readonly #ends = new Entry(Number.POSITIVE_INFINITY, undefined);
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  add(expire: () => void): Expiry {
    const entry = new Entry(performance.now() + this.#timeoutMs, expire);
    entry.putBefore(this.#ends);
    this.#timer ??= this.#armed(this.#timeoutMs);
    return entry;
  }

  #armed(delayMs: number): NodeJS.Timeout {
    return setTimeout(() => this.#expire(), delayMs).unref();
  }

  #expire(): void {
    const now = performance.now();
    this.#timer = undefined;
    for (let oldest = this.#ends.after; oldest !== this.#ends; oldest = this.#ends.after) {
      if (oldest.at > now) {
        this.#timer = this.#armed(Math.ceil(oldest.at - now));
        return;
      }
      const { expire } = oldest;
      oldest.cancel();
      expire?.();
    }
  }
}
