// The seats of one priority level, and its queues. Start-time fair queuing: each queue has the virtual time
// at which its next request would start, which advances by the work of its requests (seats times seconds).
// When seats become free, the queue with the least virtual start is next. Virtual time is the greatest start
// so far; a queue that was empty begins there, so that nobody saves up turns. A queue can be ahead of another
// that is never empty by at most the work of one request of each (level-queues.test.ts).
//
// While nothing waits a request costs a few additions and no promise.
import type { Flow, Rejection } from './flow.ts';
import { SeatDemand } from './seat-demand.ts';

/** What a request is expected to take until it has finished; as upstream's. */
const ESTIMATED_SECONDS = 0.003;

type LevelType = 'exempt' | 'reject' | 'queue';

export interface LevelSettings {
  readonly type: LevelType;
  readonly queues: number;
  readonly handSize: number;
  readonly queueLength: number;
}

/** A request that has its seats. */
export interface Seated {
  readonly flow: Flow;
  readonly seats: number;
  readonly queue: FlowQueue | undefined;
  /** By the clock of the level, in seconds. */
  readonly since: number;
}

interface Waiting {
  readonly flow: Flow;
  readonly seats: number;
  readonly queue: FlowQueue;
  readonly since: number;
  /** Virtual time when it came. */
  readonly arrived: number;
  readonly seat: (seated: Seated | Rejection) => void;
}

/** Made when a flow first uses it: a level may have millions. */
class FlowQueue {
  readonly index: number;
  start = 0;
  executing = 0;
  seatsInUse = 0;
  waitingSeats = 0;
  readonly waiting: Waiting[] = [];

  constructor(index: number) {
    this.index = index;
  }
}

/** Queues that nobody uses are forgotten beyond this many. */
const MAX_IDLE_QUEUES = 10_000;

export class LevelQueues {
  readonly #now: () => number;
  #settings: LevelSettings;
  #limit: number;
  readonly #queues = new Map<number, FlowQueue>();
  /** Those with requests that wait; the one that was served last is at the end. */
  readonly #backlogged: FlowQueue[] = [];
  #virtual = 0;
  #turn = 0;
  #waiting = 0;
  #waitingSeats = 0;
  #executing = 0;
  #inUse = 0;
  readonly counts = { dispatched: 0, rejected: 0, timedOut: 0, cancelled: 0 };
  readonly demand: SeatDemand;

  /** `now` in seconds. */
  constructor(settings: LevelSettings, limit: number, now: () => number) {
    this.#settings = settings;
    this.#limit = limit;
    this.#now = now;
    this.demand = new SeatDemand(now());
  }

  get settings(): LevelSettings {
    return this.#settings;
  }

  get limit(): number {
    return this.#limit;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get executing(): number {
    return this.#executing;
  }

  get seatsInUse(): number {
    return this.#inUse;
  }

  /** What waits keeps its place. */
  configure(settings: LevelSettings): void {
    this.#settings = settings;
  }

  setLimit(seats: number): void {
    this.#limit = seats;
    this.#dispatch();
  }

  /** Undefined: there is no seat free, or others came before. */
  tryStart(flow: Flow, seats: number): Seated | undefined {
    const { type } = this.#settings;
    if (type !== 'exempt') {
      if (this.#waiting > 0 || !this.#hasRoom(seats)) return undefined;
      flow.metrics.waitOfExecuted.observe(0);
    }
    return this.#seat(flow, seats, type === 'queue' ? this.#pick(flow) : undefined, this.#now());
  }

  /**
   * Waits in a queue of the flow until there are seats. `onWaiting` gets what ends the wait early, unless the
   * request is refused at once.
   */
  wait(
    flow: Flow,
    seats: number,
    onWaiting: (end: (why: Rejection) => void) => void,
  ): Promise<Seated | Rejection> {
    if (this.#settings.type !== 'queue') return Promise.resolve(this.#reject(flow, 'concurrency-limit'));
    const queue = this.#pick(flow);
    if (queue.waiting.length >= this.#settings.queueLength)
      return Promise.resolve(this.#reject(flow, 'queue-full'));
    return new Promise((resolve) => {
      const waiting: Waiting = {
        flow,
        seats,
        queue,
        since: this.#now(),
        arrived: this.#virtual,
        seat: resolve,
      };
      this.#enqueue(waiting);
      onWaiting((why) => this.#giveUp(waiting, why));
      this.#dispatch();
    });
  }

  finish(seated: Seated): void {
    const { flow, seats, queue, since } = seated;
    const now = this.#now();
    const seconds = now - since;
    this.#executing--;
    this.#inUse -= seats;
    flow.metrics.executing.value--;
    flow.metrics.executingSeats.value -= seats;
    if (queue !== undefined) {
      queue.executing--;
      queue.seatsInUse -= seats;
      queue.start += seats * (seconds - ESTIMATED_SECONDS);
      this.#dropIdle(queue);
    }
    this.demand.set(this.#inUse + this.#waitingSeats, now);
    if (this.#waiting > 0) this.#dispatch();
  }

  /** Each queue that is used, for dumps. */
  dump(): readonly Readonly<Pick<FlowQueue, 'index' | 'start' | 'executing' | 'seatsInUse' | 'waiting'>>[] {
    return [...this.#queues.values()].sort((a, b) => a.index - b.index);
  }

  /** One that needs more than all seats has the level for itself. */
  #hasRoom(seats: number): boolean {
    return seats > this.#limit ? this.#executing === 0 : this.#inUse + seats <= this.#limit;
  }

  /** Of the queues of the flow, that with the least work. Turns begin with another queue each time. */
  #pick({ hand }: Flow): FlowQueue {
    const offset = this.#turn++;
    let best: FlowQueue | undefined;
    for (let i = 0; i < hand.length; i++) {
      const queue = this.#queueAt(hand[(offset + i) % hand.length]!);
      if (queue.waitingSeats === 0 && this.#waiting === 0) return queue;
      if (best === undefined || queue.waitingSeats < best.waitingSeats) best = queue;
    }
    return best!;
  }

  #queueAt(index: number): FlowQueue {
    let queue = this.#queues.get(index);
    if (queue === undefined) this.#queues.set(index, (queue = new FlowQueue(index)));
    return queue;
  }

  /** Its virtual start is then forgotten, which matters only to one that had used more than its share. */
  #dropIdle(queue: FlowQueue): void {
    if (queue.executing > 0 || queue.waiting.length > 0) return;
    if (queue.index >= this.#settings.queues || this.#queues.size > MAX_IDLE_QUEUES)
      this.#queues.delete(queue.index);
  }

  #enqueue(waiting: Waiting): void {
    const { queue, seats, flow } = waiting;
    if (queue.waiting.length === 0) {
      queue.start = Math.max(queue.start, this.#virtual);
      this.#backlogged.push(queue);
    }
    queue.waiting.push(waiting);
    this.#change(waiting, 1, seats);
    flow.metrics.queueLength.observe(queue.waiting.length);
  }

  #change({ queue, flow }: Waiting, by: 1 | -1, seats: number): void {
    queue.waitingSeats += seats;
    this.#waiting += by;
    this.#waitingSeats += seats;
    flow.metrics.waiting.value += by;
    flow.metrics.waitingSeats.value += seats;
    this.demand.set(this.#inUse + this.#waitingSeats, this.#now());
  }

  #giveUp(waiting: Waiting, why: Rejection): void {
    const { queue, seats, flow, since } = waiting;
    const at = queue.waiting.indexOf(waiting);
    if (at < 0) return;
    queue.waiting.splice(at, 1);
    this.#change(waiting, -1, -seats);
    if (queue.waiting.length === 0) this.#backlogged.splice(this.#backlogged.indexOf(queue), 1);
    flow.metrics.waitOfRejected.observe(this.#now() - since);
    waiting.seat(this.#reject(flow, why));
    // A wide one may have been in the way of others.
    this.#dispatch();
  }

  #reject(flow: Flow, why: Rejection): Rejection {
    this.counts.rejected++;
    if (why === 'time-out') this.counts.timedOut++;
    if (why === 'cancelled') this.counts.cancelled++;
    flow.metrics.rejected(why).value++;
    return why;
  }

  #dispatch(): void {
    while (this.#waiting > 0) {
      const at = this.#nextBacklogged();
      const queue = this.#backlogged[at]!;
      const first = queue.waiting[0]!;
      if (!this.#hasRoom(first.seats)) return;
      queue.waiting.shift();
      this.#backlogged.splice(at, 1);
      if (queue.waiting.length > 0) this.#backlogged.push(queue);
      this.#change(first, -1, -first.seats);
      const now = this.#now();
      first.flow.metrics.waitOfExecuted.observe(now - first.since);
      first.seat(this.#seat(first.flow, first.seats, queue, now));
    }
  }

  /** Of equal ones the first, which has not been served for longest. */
  #nextBacklogged(): number {
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let at = 0; at < this.#backlogged.length; at++) {
      const queue = this.#backlogged[at]!;
      // What finished faster than expected gives no credit for the time before the request came.
      queue.start = Math.max(queue.start, queue.waiting[0]!.arrived);
      if (queue.start >= least) continue;
      least = queue.start;
      best = at;
    }
    return best;
  }

  #seat(flow: Flow, seats: number, queue: FlowQueue | undefined, now: number): Seated {
    const { metrics } = flow;
    this.#executing++;
    this.#inUse += seats;
    this.counts.dispatched++;
    metrics.dispatched.value++;
    metrics.executing.value++;
    metrics.executingSeats.value += seats;
    if (queue !== undefined) {
      // One that was idle has no credit; one that waited keeps the start by which it was chosen.
      if (queue.waiting.length === 0 && queue.start < this.#virtual) queue.start = this.#virtual;
      if (queue.start > this.#virtual) this.#virtual = queue.start;
      queue.start += seats * ESTIMATED_SECONDS;
      queue.executing++;
      queue.seatsInUse += seats;
    }
    this.demand.set(this.#inUse + this.#waitingSeats, now);
    return { flow, seats, queue, since: now };
  }
}
