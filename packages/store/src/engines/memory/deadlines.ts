// Which keys expire when: a binary heap by time. Overwritten entries stay in it until their time; the caller
// checks again.

export interface Deadline {
  readonly at: number;
  readonly key: string;
  readonly modRevision: number;
}

export class Deadlines {
  readonly #heap: Deadline[] = [];

  get earliest(): number | undefined {
    return this.#heap[0]?.at;
  }

  add(deadline: Deadline): void {
    const heap = this.#heap;
    let at = heap.push(deadline) - 1;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (heap[parent]!.at <= deadline.at) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = deadline;
  }

  /** The earliest deadline if it is not after `now`. */
  takeDue(now: number): Deadline | undefined {
    const [first] = this.#heap;
    if (first === undefined || first.at > now) return undefined;
    const last = this.#heap.pop()!;
    if (this.#heap.length > 0) this.#sink(last);
    return first;
  }

  #sink(deadline: Deadline): void {
    const heap = this.#heap;
    let at = 0;
    for (let child = 1; child < heap.length; child = at * 2 + 1) {
      if (child + 1 < heap.length && heap[child + 1]!.at < heap[child]!.at) child++;
      if (heap[child]!.at >= deadline.at) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = deadline;
  }
}
