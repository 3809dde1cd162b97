// Lets the webhook fail or hang now and then, and knows when: only then may conversions fail.
import { setTimeout as sleep } from 'node:timers/promises';

/** How long after a fault conversions may still fail: the longest pause of the circuit breaker, a call. */
const AFTERMATH_MS = 10_000;

export class WebhookFaults {
  isActive = false;
  count = 0;
  #endedAt = Number.NEGATIVE_INFINITY;

  /** Whether a fault explains the failure of a request that began then. */
  explain(began) {
    return this.isActive || began < this.#endedAt + AFTERMATH_MS;
  }

  async run(soak, kit, random) {
    while (!soak.isOver()) {
      await soak.pause(random.between(15_000, 35_000));
      if (soak.isOver()) return;
      const [begin, end] = random.pick([
        ['SIGUSR2', 'SIGUSR2'],
        ['SIGSTOP', 'SIGCONT'],
      ]);
      this.count++;
      this.isActive = true;
      kit.signal(begin);
      await sleep(random.between(1_000, 5_000));
      kit.signal(end);
      this.#endedAt = Date.now();
      this.isActive = false;
    }
  }
}
