// Connections that are being made, the oldest first.
//
// One may hang while others to the same place do not: a lost packet, a host that is gone, a process that has
// stopped. So an attempt is counted on until a request that came no earlier than it has waited in vain. From
// then on it keeps nobody waiting: others are begun as if it were not there, and its error is told to nobody.
// It goes on all the same, since a webhook that greets later than requests have time would otherwise never be
// reached, and is closed when its place is needed.
import type { Connection } from './connection.ts';

export interface Attempt {
  /** The number of the newest request when it was begun. */
  readonly newest: number;
  /** Once it is known where to. */
  connection?: Connection;
  isCountedOn: boolean;
  isClosed: boolean;
}

export class Attempts {
  readonly #underWay = new Set<Attempt>();

  get size(): number {
    return this.#underWay.size;
  }

  get countedOn(): number {
    let count = 0;
    for (const { isCountedOn } of this.#underWay) if (isCountedOn) count++;
    return count;
  }

  begin(newest: number): Attempt {
    const attempt: Attempt = { newest, isCountedOn: true, isClosed: false };
    this.#underWay.add(attempt);
    return attempt;
  }

  end(attempt: Attempt): void {
    this.#underWay.delete(attempt);
  }

  /** The request with this number has waited in vain. */
  disappoint(number: number): void {
    for (const attempt of this.#underWay) if (attempt.newest <= number) attempt.isCountedOn = false;
  }

  /** The oldest that nobody counts on; false if there is none. */
  closeOne(): boolean {
    for (const attempt of this.#underWay) {
      if (attempt.isCountedOn) continue;
      this.#underWay.delete(attempt);
      attempt.isClosed = true;
      attempt.connection?.close();
      return true;
    }
    return false;
  }
}
