// The controllers that only one server may run. A server with its own storage simply runs them; over shared
// storage, the leader does.
import type { ElectionTimes, Log } from '@instar/serving';
import type { Resource } from '../../objects/resource.ts';
import { LeaderElection } from './leader-election.ts';

/** What runs while this server leads. */
export interface Controller {
  start(): Promise<void>;
  stop(): Promise<void> | void;
}

interface ElectedControllersOptions {
  /** Undefined: no other server has the storage open. */
  readonly leases: Resource | undefined;
  readonly times?: ElectionTimes;
  readonly log: Log;
  /** Called whenever this server becomes the leader; the controllers are stopped in reverse order. */
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
