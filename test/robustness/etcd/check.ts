// Compares the responses that clients got with what happened. The store's revisions order all writes, so
// nothing is guessed: every response must be true at some time between the request and the response.
import type { Change, Get, History, List, Operation, Segment, Write } from './history.ts';

/** A key between two changes: `until` is the revision that ended it. */
interface State {
  readonly from: number;
  readonly until: number;
  readonly value: string | undefined;
  /** When the write that made it was begun: no client can have seen it before. */
  readonly begun: number;
}

/** The faults, as sentences. */
export function check(history: History): string[] {
  return new Checker(history).faults();
}

class Checker {
  readonly #history: History;
  readonly #states = new Map<string, State[]>();
  readonly #writesByValue = new Map<string, Write>();
  readonly #faults: string[] = [];

  constructor(history: History) {
    this.#history = history;
    for (const one of history.operations)
      if (one.kind === 'create' || one.kind === 'update') this.#writesByValue.set(one.value, one);
    for (const key of new Set(history.changes.map((change) => change.key)))
      this.#states.set(key, this.#statesOf(key));
  }

  faults(): string[] {
    for (const change of this.#history.changes) this.#checkChange(change);
    for (const one of this.#history.operations) this.#checkOperation(one);
    this.#checkOrder();
    for (const segment of this.#history.segments) this.#checkSegment(segment);
    return this.#faults;
  }

  #fault(text: string, what?: unknown): void {
    this.#faults.push(
      what === undefined
        ? text
        : `${text}: ${JSON.stringify(what, (_, value) => (value instanceof Map ? [...value] : value))}`,
    );
  }

  #statesOf(key: string): State[] {
    const changes = this.#history.changes.filter((change) => change.key === key);
    const states: State[] = [
      { from: 0, until: changes[0]?.revision ?? Number.POSITIVE_INFINITY, value: undefined, begun: 0 },
    ];
    changes.forEach((change, at) => {
      const until = changes[at + 1]?.revision ?? Number.POSITIVE_INFINITY;
      states.push({
        from: change.revision,
        until,
        value: change.value,
        begun: this.#maker(change, states.at(-1)!)?.start ?? 0,
      });
    });
    return states;
  }

  #statesOfKey(key: string): readonly State[] {
    return (
      this.#states.get(key) ?? [{ from: 0, until: Number.POSITIVE_INFINITY, value: undefined, begun: 0 }]
    );
  }

  /**
   * The write that made a change. Of several deletions of one state any may be it; the earliest is the most
   * lenient choice.
   */
  #maker(change: Change, before: State): Write | undefined {
    if (change.value !== undefined) return this.#writesByValue.get(change.value);
    const deletes = this.#history.operations.filter(
      (one): one is Write =>
        one.kind === 'delete' &&
        one.key === change.key &&
        one.expected === before.from &&
        one.outcome.type !== 'refused',
    );
    return deletes.sort((a, b) => a.start - b.start)[0];
  }

  #before(key: string, revision: number): State {
    return this.#statesOfKey(key).findLast((state) => state.from < revision)!;
  }

  /** Everything that happened was requested, and its preconditions held. */
  #checkChange(change: Change): void {
    const before = this.#before(change.key, change.revision);
    const write = this.#maker(change, before);
    if (write === undefined) {
      this.#fault('no client requested this change', change);
      return;
    }
    if (write.outcome.type === 'refused') this.#fault('a refused write has happened', write);
    if (write.kind === 'create' && before.value !== undefined)
      this.#fault('a create found something there', { write, before });
    if (write.kind === 'update' && before.from !== write.expected)
      this.#fault('an update changed something else than it expected', { write, before });
  }

  #checkOperation(one: Operation): void {
    if (one.kind === 'get') this.#checkGet(one);
    else if (one.kind === 'list') this.#checkList(one);
    else this.#checkWrite(one);
  }

  #checkWrite(write: Write): void {
    const { outcome } = write;
    if (outcome.type === 'done' && this.#revisionOf(write) === undefined)
      this.#fault('an acknowledged write is lost', write);
    if (outcome.type !== 'refused') return;
    const states = this.#statesOfKey(write.key).filter((state) => state.begun < write.end);
    const isRight = {
      absent: () => states.some((state) => state.value === undefined),
      exists: () => states.some((state) => state.value !== undefined),
      // Another client had changed what was expected, or was about to.
      conflict: () => states.some((state) => write.kind !== 'create' && state.from > write.expected),
    }[outcome.why]();
    if (!isRight) this.#fault('a write was refused for no reason', write);
  }

  #revisionOf(write: Write): number | undefined {
    if (write.kind === 'delete') {
      return this.#history.changes.find(
        (change) =>
          change.key === write.key &&
          change.value === undefined &&
          this.#before(change.key, change.revision).from === write.expected,
      )?.revision;
    }
    const change = this.#history.changes.find(({ value, key }) => value === write.value && key === write.key);
    const told = write.outcome.type === 'done' ? write.outcome.revision : undefined;
    return change !== undefined && (told === undefined || told === change.revision)
      ? change.revision
      : undefined;
  }

  #checkGet(get: Get): void {
    if (get.seen === undefined) return;
    const { revision, value } = get.seen;
    const state = this.#statesOfKey(get.key).find(({ from }) => from === revision);
    if (state?.value !== value) this.#fault('a read saw what never was', get);
    else if (state.begun >= get.end) this.#fault('a read saw what had not been asked for yet', get);
  }

  #checkList(list: List): void {
    for (const key of this.#states.keys()) {
      const state = this.#statesOfKey(key).findLast(({ from }) => from <= list.revision)!;
      const item = list.items.get(key);
      const same =
        item === undefined
          ? state.value === undefined
          : state.from === item.revision && state.value === item.value;
      if (!same) this.#fault(`a list at ${list.revision} shows ${key} as it was not`, { item, state, list });
    }
  }

  /** Real time: a request that begins after a response must not get an older state. */
  #checkOrder(): void {
    const known: { end: number; key: string; revision: number }[] = [];
    for (const one of this.#history.operations) {
      const revision = this.#knownAfter(one);
      if (revision !== undefined)
        known.push({ end: one.end, key: one.kind === 'list' ? '' : one.key, revision });
    }
    known.sort((a, b) => a.end - b.end);
    const operations = [...this.#history.operations].sort((a, b) => a.start - b.start);
    const floors = new Map<string, number>();
    let [at, newest] = [0, 0];
    for (const one of operations) {
      for (; at < known.length && known[at]!.end < one.start; at++) {
        const { key, revision } = known[at]!;
        floors.set(key, Math.max(floors.get(key) ?? 0, revision));
        newest = Math.max(newest, revision);
      }
      // A list covers all keys up to its revision.
      this.#checkFloor(
        one,
        one.kind === 'list' ? newest : Math.max(floors.get(one.key) ?? 0, floors.get('') ?? 0),
      );
    }
  }

  /** A revision that had certainly happened when this operation got its response. */
  #knownAfter(one: Operation): number | undefined {
    if (one.kind === 'list') return one.revision;
    if (one.kind === 'get') return one.seen?.revision;
    return one.outcome.type === 'done' ? this.#revisionOf(one) : undefined;
  }

  #checkFloor(one: Operation, floor: number): void {
    if (one.kind === 'list') {
      if (one.revision < floor)
        this.#fault(`a list is at ${one.revision}, and ${floor} had been told of before it was asked`, one);
      return;
    }
    if (one.kind === 'get') {
      if (!one.stale && !this.#couldSee(one, floor))
        this.#fault(`a read is older than ${floor}, which had been told of before it was asked`, one);
      return;
    }
    const revision = one.outcome.type === 'done' ? this.#revisionOf(one) : undefined;
    if (revision !== undefined && revision <= floor)
      this.#fault(`a write has a revision not after ${floor}`, one);
  }

  /**
   * True if what was seen (or that nothing was) was still true at `floor` or later, and was begun before the
   * response.
   */
  #couldSee({ key, seen, end }: Get, floor: number): boolean {
    const isSeen = (state: State): boolean =>
      seen === undefined ? state.value === undefined : state.from === seen.revision;
    return this.#statesOfKey(key).some((state) => isSeen(state) && state.until > floor && state.begun < end);
  }

  /** Everything after the list, in order, exactly once. */
  #checkSegment({ watcher, from, events }: Segment): void {
    const last = events.at(-1)?.revision ?? from;
    const expected = this.#history.changes.filter(({ revision }) => revision > from && revision <= last);
    const lines = expected.map((change) => `${change.revision} ${this.#typeOf(change)} ${change.key}`);
    const told = events.map(({ revision, type, key }) => `${revision} ${type} ${key}`);
    const wrong = told.findIndex((line, index) => line !== lines[index]);
    if (wrong >= 0 || told.length !== lines.length) {
      const around = Math.max((wrong < 0 ? Math.min(told.length, lines.length) : wrong) - 2, 0);
      this.#fault(`${watcher} from ${from} was told otherwise`, {
        told: told.slice(around, around + 6),
        happened: lines.slice(around, around + 6),
      });
    }
    for (const event of events) {
      const state = this.#statesOfKey(event.key).find((one) => one.from === event.revision);
      if (event.type !== 'DELETED' && state?.value !== event.value)
        this.#fault(`${watcher} was told of another value`, event);
    }
  }

  #typeOf(change: Change): string {
    if (change.value === undefined) return 'DELETED';
    return this.#before(change.key, change.revision).value === undefined ? 'ADDED' : 'MODIFIED';
  }
}
