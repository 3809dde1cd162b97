// How long a request that can do with what is stored waits for conversions: briefly, because a conversion may
// change labels and annotations, and hardly at all while nothing comes back. Conversions that nobody waits
// for any more go on.

/** More than a webhook takes that is well. */
const BRIEF_WAIT_MS = 1000;

export class BriefWait {
  /** When each conversion under way began, the oldest first. */
  readonly #underWay = new Set<{ readonly since: number }>();
  #answeredAt = 0;

  /** Something was converted. */
  answered(): void {
    this.#answeredAt = performance.now();
  }

  /** True if the conversion ends soon; throws what it throws until then. */
  async isOver(conversion: Promise<void>): Promise<boolean> {
    const own = { since: performance.now() };
    this.#underWay.add(own);
    const over = conversion.finally(() => this.#underWay.delete(own)).then(() => true);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), this.#left(own.since));
    });
    try {
      return await Promise.race([over, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Where nothing has come back for so long already, nobody need find that out again. */
  #left(now: number): number {
    const [oldest] = this.#underWay;
    return Math.max(0, Math.max(oldest!.since, this.#answeredAt) + BRIEF_WAIT_MS - now);
  }
}
