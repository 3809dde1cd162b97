// The controllers that only one server may run. With storage of its own a server simply runs them; over
// shared storage, while it leads.
import type { ElectionTimes, Log } from '@instar/serving';
import type { Resource } from '../../objects/resource.ts';
import { LeaderElection } from './leader-election.ts';

export interface Controller {
  start(): Promise<void>;
  stop(): Promise<void> | void;
}

export interface ElectedControllersOptions {
  /** Undefined: nobody else has the storage open. */
  readonly leases: Resource | undefined;
  readonly times?: ElectionTimes;
  readonly log: Log;
  /** Made anew whenever this server begins to lead; stopped in the reverse order. */
  readonly make: () => readonly Controller[];
}

export class ElectedControllers {
  readonly #options: ElectedControllersOptions;
  readonly #election: LeaderElection | undefined;
  #running: readonly Controller[] = [];

  constructor(options: ElectedControllersOptions) {
    this.#options = options;
    const { leases, log, times } = options;
    if (leases === undefined) return;
    this.#election = new LeaderElection({
      leases,
      log,
      ...(times && { times }),
      onLead: async () => this.#start(),
      onFollow: () => this.#stop(),
    });
  }

  async start(): Promise<void> {
    if (this.#election === undefined) this.#start();
    else await this.#election.start();
  }

  async stop(): Promise<void> {
    await this.#election?.stop();
    await this.#stop();
  }

  #start(): void {
    this.#running = this.#options.make();
    for (const controller of this.#running)
      controller
        .start()
        .catch((error: unknown) => this.#options.log.error({ err: error }, 'a controller could not start'));
  }

  async #stop(): Promise<void> {
    const stopping = [...this.#running].reverse();
    this.#running = [];
    for (const controller of stopping) await controller.stop();
  }
}
