// How long a request that accepts the stored object waits for conversions: briefly, because a conversion may
// change labels and annotations, and hardly at all while the webhook does not answer. Conversions continue
// after the request has stopped waiting.

/** Longer than a healthy webhook takes. */
const BRIEF_WAIT_MS = 1000;

export class BriefWait {
  /** When each conversion in flight began, the oldest first. */
  readonly #inFlight = new Set<{ readonly since: number }>();
  #answeredAt = 0;

  /** To be called when an object has been converted. */
  answered(): void {
    this.#answeredAt = performance.now();
  }

  /** True if the conversion ends in time; throws what it throws until then. */
  async isOver(conversion: Promise<void>): Promise<boolean> {
    const own = { since: performance.now() };
    this.#inFlight.add(own);
    const over = conversion.finally(() => this.#inFlight.delete(own)).then(() => true);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), this.#remainingMs(own.since));
    });
    try {
      return await Promise.race([over, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** 0 if nothing has been converted for so long already: waiting again would not help. */
  #remainingMs(now: number): number {
    const [oldest] = this.#inFlight;
    return Math.max(0, Math.max(oldest!.since, this.#answeredAt) + BRIEF_WAIT_MS - now);
  }
}
