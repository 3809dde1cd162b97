// Sends events to a webhook as EventLists, with retries. The network is passed in.
import { Backoff, type Clock, REAL_CLOCK, sleep } from '@instar/serving';
import type { AuditBackend, ReportLoss } from '../backend.ts';
import type { AuditEvent } from '../event.ts';
import type { AuditWebhookOptions } from '../options.ts';

/** As upstream: five attempts, the pauses growing by half, a fifth of it at random. */
const ATTEMPTS = 5;
const PAUSES = { factor: 1.5, jitter: 0.2, maxMs: Number.POSITIVE_INFINITY };

export class WebhookBackend implements AuditBackend {
  readonly #options: Pick<AuditWebhookOptions, 'send' | 'initialBackoffMs'>;
  readonly #report: ReportLoss;
  readonly #clock: Clock;
  readonly #closing = new AbortController();

  constructor(
    options: Pick<AuditWebhookOptions, 'send' | 'initialBackoffMs'>,
    report: ReportLoss,
    clock: Clock = REAL_CLOCK,
  ) {
    this.#options = options;
    this.#report = report;
    this.#clock = clock;
  }

  async process(events: readonly AuditEvent[]): Promise<boolean> {
    const items = events.map(({ members }) => `{${members}`).join(',');
    try {
      await this.#send(
        `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[${items}]}`,
      );
      return true;
    } catch (error) {
      this.#report('webhook', error, events);
      return false;
    }
  }

  hasten(): void {
    this.#closing.abort();
  }

  async close(): Promise<void> {
    this.hasten();
  }

  async #send(body: string): Promise<void> {
    const { send, initialBackoffMs } = this.#options;
    const pauses = new Backoff({ ...PAUSES, firstMs: initialBackoffMs });
    for (let attempt = 1; ; attempt++) {
      try {
        return await send(body);
      } catch (error) {
        if (attempt === ATTEMPTS || !(await this.#pause(pauses.next()))) throw error;
      }
    }
  }

  /** False: the server is closing. */
  #pause(milliseconds: number): Promise<boolean> {
    return sleep(this.#clock, milliseconds, this.#closing.signal).then(
      () => true,
      () => false,
    );
  }
}
