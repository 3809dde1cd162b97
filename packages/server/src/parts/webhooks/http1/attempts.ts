// Connection attempts in flight, the oldest first.
//
// One may hang while others to the same address do not: a lost packet, a host that is down, a process that
// has stopped. So an attempt is abandoned when a request that is not older than it has waited without
// success. From then on no request waits for it: other attempts are begun as if it did not exist, and its
// error is not reported. It still continues, since a webhook whose handshake takes longer than the timeout of
// requests would otherwise never be reached, and is closed when its slot is needed.
import type { Connection } from './connection.ts';

export interface Attempt {
  /** The number of the newest request when the attempt began. */
  readonly newest: number;
  /** Set when the target is resolved. */
  connection?: Connection;
  isAbandoned: boolean;
  isClosed: boolean;
}

export class Attempts {
  readonly #inFlight = new Set<Attempt>();

  get size(): number {
    return this.#inFlight.size;
  }

  get waitedFor(): number {
    let count = 0;
    for (const { isAbandoned } of this.#inFlight) if (!isAbandoned) count++;
    return count;
  }

  begin(newest: number): Attempt {
    const attempt: Attempt = { newest, isAbandoned: false, isClosed: false };
    this.#inFlight.add(attempt);
    return attempt;
  }

  end(attempt: Attempt): void {
    this.#inFlight.delete(attempt);
  }

  /** To be called when the request with this number has waited without success. */
  abandonUpTo(number: number): void {
    for (const attempt of this.#inFlight) if (attempt.newest <= number) attempt.isAbandoned = true;
  }

  /** Closes the oldest abandoned attempt; false if there is none. */
  closeAbandoned(): boolean {
    for (const attempt of this.#inFlight) {
      if (!attempt.isAbandoned) continue;
      this.#inFlight.delete(attempt);
      attempt.isClosed = true;
      attempt.connection?.close();
      return true;
    }
    return false;
  }
}
