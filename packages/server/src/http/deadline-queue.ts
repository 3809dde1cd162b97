// Many deadlines of the same length with one timer: what was added first expires first, so only the oldest needs watching.

export interface Expiry {
  cancel(): void;
}

class Entry implements Expiry {
  readonly at: number;
  readonly expire: () => void;
  readonly #queue: Set<Entry>;

  constructor(queue: Set<Entry>, at: number, expire: () => void) {
    this.#queue = queue;
    this.at = at;
    this.expire = expire;
  }

  cancel(): void {
    this.#queue.delete(this);
  }
}

export class DeadlineQueue {
  readonly #timeoutMs: number;
  readonly #entries = new Set<Entry>();
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  add(expire: () => void): Expiry {
    const entry = new Entry(this.#entries, performance.now() + this.#timeoutMs, expire);
    this.#entries.add(entry);
    this.#timer ??= this.#armed(this.#timeoutMs);
    return entry;
  }

  #armed(delayMs: number): NodeJS.Timeout {
    return setTimeout(() => this.#expire(), delayMs).unref();
  }

  #expire(): void {
    const now = performance.now();
    this.#timer = undefined;
    for (const entry of this.#entries) {
      if (entry.at > now) {
        this.#timer = this.#armed(Math.ceil(entry.at - now));
        return;
      }
      this.#entries.delete(entry);
      entry.expire();
    }
  }
}
