// A pattern as a nondeterministic automaton that matches whole strings: as a pattern may match anywhere in a
// string, the automaton begins and ends with any characters. ^ and $ are edges that can be taken only before
// the first and after the last character.
import { ANY, type CharSet, NotUnderstood, type Pattern } from '@instar/go';

const MAX_STATES = 6000;

interface State {
  readonly moves: { readonly set: CharSet; readonly to: number }[];
  readonly free: number[];
  readonly atBegin: number[];
  readonly atEnd: number[];
}

export class Automaton {
  readonly #states: State[] = [];
  readonly #start: number;
  readonly #accept: number;
  /** States from which the accepting state can be reached after the first character; others are ignored. */
  readonly #live: ReadonlySet<number>;

  constructor(pattern: Pattern) {
    this.#start = this.#state();
    this.#accept = this.#state();
    this.#loop(this.#start);
    this.#loop(this.#accept);
    this.#states[this.#build(pattern, this.#start)]!.free.push(this.#accept);
    this.#live = this.#liveStates();
  }

  get sets(): CharSet[] {
    return this.#states.flatMap(({ moves }) => moves.map(({ set }) => set));
  }

  start(): number[] {
    return this.#closure([this.#start], true, false);
  }

  step(states: readonly number[], isIn: (set: CharSet) => boolean): number[] {
    const reached = new Set<number>();
    for (const state of states)
      for (const { set, to } of this.#states[state]!.moves)
        if (this.#live.has(to) && isIn(set)) reached.add(to);
    return this.#closure([...reached], false, false);
  }

  accepts(states: readonly number[], isEmpty: boolean): boolean {
    return this.#closure(states, isEmpty, true).includes(this.#accept);
  }

  /** The string is matched regardless of what follows. */
  isCertain(states: readonly number[]): boolean {
    return states.includes(this.#accept);
  }

  #state(): number {
    if (this.#states.length >= MAX_STATES) throw new NotUnderstood('it is too large');
    return this.#states.push({ moves: [], free: [], atBegin: [], atEnd: [] }) - 1;
  }

  #loop(state: number): void {
    this.#states[state]!.moves.push({ set: ANY, to: state });
  }

  /** Returns the state at which the part ends. */
  #build(pattern: Pattern, from: number): number {
    switch (pattern.kind) {
      case 'lineBegin':
      case 'lineEnd':
      case 'wordBoundary':
      case 'noWordBoundary':
        throw new NotUnderstood('boundaries of words and lines');
      case 'begin':
        return this.#edge(from, 'atBegin');
      case 'end':
        return this.#edge(from, 'atEnd');
      case 'set': {
        const to = this.#state();
        this.#states[from]!.moves.push({ set: pattern.set, to });
        return to;
      }
      case 'sequence':
        return pattern.parts.reduce((at, part) => this.#build(part, at), from);
      case 'choice':
        return this.#choice(pattern.parts, from);
      case 'repeat':
        return this.#repeat(pattern, from);
    }
  }

  #edge(from: number, kind: 'free' | 'atBegin' | 'atEnd', to = this.#state()): number {
    this.#states[from]![kind].push(to);
    return to;
  }

  #choice(parts: readonly Pattern[], from: number): number {
    const end = this.#state();
    for (const part of parts) this.#edge(this.#build(part, this.#edge(from, 'free')), 'free', end);
    return end;
  }

  #repeat({ part, min, max }: Extract<Pattern, { kind: 'repeat' }>, from: number): number {
    let at = from;
    for (let i = 0; i < min; i++) at = this.#build(part, at);
    if (max === Number.POSITIVE_INFINITY) {
      const loop = this.#edge(at, 'free');
      this.#edge(this.#build(part, loop), 'free', loop);
      return this.#edge(loop, 'free');
    }
    const end = this.#state();
    for (let i = min; i < max; i++) {
      this.#edge(at, 'free', end);
      at = this.#build(part, at);
    }
    return this.#edge(at, 'free', end);
  }

  #liveStates(): Set<number> {
    const before = this.#states.map((): number[] => []);
    this.#states.forEach(({ moves, free, atEnd }, from) => {
      for (const to of [...moves.map((move) => move.to), ...free, ...atEnd]) before[to]!.push(from);
    });
    const live = new Set([this.#accept]);
    const open = [this.#accept];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      for (const from of before[state]!.filter((one) => !live.has(one))) {
        live.add(from);
        open.push(from);
      }
    }
    return live;
  }

  #closure(states: readonly number[], begin: boolean, end: boolean): number[] {
    const seen = new Set(states);
    const open = [...states];
    const reach = (targets: readonly number[]): void => {
      for (const target of targets) {
        if (seen.has(target)) continue;
        seen.add(target);
        open.push(target);
      }
    };
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      const { free, atBegin, atEnd } = this.#states[state]!;
      reach(free);
      if (begin) reach(atBegin);
      if (end) reach(atEnd);
    }
    return [...seen].sort((a, b) => a - b);
  }
}
