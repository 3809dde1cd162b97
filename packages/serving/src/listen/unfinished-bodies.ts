// Requests whose bodies have not arrived yet. They must not delay a shutdown as long as requests that are
// being worked on: a client that never sends the rest would use up the whole grace every time.
import type { Exchange } from '../exchange/exchange.ts';

const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD']);

export class UnfinishedBodies {
  readonly #exchanges = new Set<Exchange>();

  add(exchange: Exchange): void {
    if (WITHOUT_BODY.has(exchange.method) || exchange.hasWholeBody) return;
    this.#exchanges.add(exchange);
    exchange.onClosed(() => this.#exchanges.delete(exchange));
  }

  /** Ends those whose bodies are still not complete, without an answer. */
  abort(): void {
    for (const exchange of this.#exchanges) if (!exchange.hasWholeBody) exchange.abort();
  }
}
