// Whether one pattern matches every string that other patterns all match. Decided by walking their automata
// in parallel, shortest strings first, so that a negative answer has the shortest counterexample. The work is
// bounded: beyond that the answer is unsure.
import { type CharSet, has, NotUnderstood, parsePattern } from '@instar/go';
import type { JsonValue } from '@instar/machinery';
import { RE2JS } from 're2js';
import { lettersOf } from './alphabet.ts';
import { Automaton } from './automaton.ts';

export type Inclusion =
  | { readonly answer: 'included' }
  | { readonly answer: 'refused'; readonly witness: string }
  | { readonly answer: 'unsure'; readonly reason: string };

interface InclusionOptions {
  /** The only possible values. */
  readonly listed?: readonly JsonValue[] | undefined;
  readonly minLength?: number;
  readonly maxLength?: number;
}

const MAX_STEPS = 8_000;
const MAX_WORK = 1_000_000;

/** `narrow`: the patterns that a string must all match; none means every string. */
export function inclusionOf(
  narrow: readonly string[],
  wide: string,
  options: InclusionOptions = {},
): Inclusion {
  try {
    if (options.listed !== undefined) return ofListed(options.listed, narrow, wide);
    return new Comparison(narrow, wide, options).run();
  } catch (error) {
    if (error instanceof NotUnderstood) return { answer: 'unsure', reason: error.message };
    throw error;
  }
}

function ofListed(listed: readonly JsonValue[], narrow: readonly string[], wide: string): Inclusion {
  const texts = listed
    .filter((value) => typeof value === 'string')
    .filter((text) => narrow.every((pattern) => matches(pattern, text)));
  const witness = texts.find((text) => !matches(wide, text));
  return witness === undefined ? { answer: 'included' } : { answer: 'refused', witness };
}

function matches(pattern: string, text: string): boolean {
  try {
    return RE2JS.compile(pattern).matcher(text).find();
  } catch {
    throw new NotUnderstood('it is not a pattern');
  }
}

interface SearchState {
  readonly states: readonly (readonly number[])[];
  readonly last: number;
  readonly before: SearchState | undefined;
  readonly length: number;
}

class Comparison {
  readonly #narrow: readonly Automaton[];
  readonly #wide: Automaton;
  readonly #letters: readonly number[];
  readonly #minLength: number;
  readonly #maxLength: number;
  #work = 0;

  constructor(
    narrow: readonly string[],
    wide: string,
    { minLength = 0, maxLength = Number.POSITIVE_INFINITY }: InclusionOptions,
  ) {
    this.#narrow = narrow.map((pattern) => new Automaton(parsePattern(pattern)));
    this.#wide = new Automaton(parsePattern(wide));
    this.#letters = lettersOf([...this.#narrow, this.#wide].flatMap(({ sets }) => sets));
    this.#minLength = minLength;
    this.#maxLength = maxLength;
  }

  run(): Inclusion {
    const all = [...this.#narrow, this.#wide];
    const first: SearchState = {
      states: all.map((one) => one.start()),
      last: -1,
      before: undefined,
      length: 0,
    };
    const seen = new Set([this.#key(first)]);
    let layer = [first];
    while (layer.length > 0) {
      const next: SearchState[] = [];
      for (const position of layer) {
        if (this.#isWitness(position)) return { answer: 'refused', witness: textOf(position) };
        if (position.length < this.#maxLength) this.#extend(position, all, seen, next);
      }
      layer = next;
    }
    return { answer: 'included' };
  }

  #extend(position: SearchState, all: readonly Automaton[], seen: Set<string>, next: SearchState[]): void {
    for (const letter of this.#letters) {
      const isIn = (set: CharSet): boolean => has(set, letter);
      const states = all.map((one, index) => one.step(position.states[index]!, isIn));
      this.#charge(states);
      const reached: SearchState = { states, last: letter, before: position, length: position.length + 1 };
      if (this.#isDeadEnd(states)) continue;
      const key = this.#key(reached);
      if (seen.has(key)) continue;
      seen.add(key);
      if (seen.size > MAX_STEPS) throw new NotUnderstood('they are too large to compare');
      next.push(reached);
    }
  }

  #charge(states: readonly (readonly number[])[]): void {
    for (const { length } of states) this.#work += length;
    if (this.#work > MAX_WORK) throw new NotUnderstood('they are too large to compare');
  }

  /** No string with this prefix can be a witness. */
  #isDeadEnd(states: readonly (readonly number[])[]): boolean {
    return this.#wide.isCertain(states.at(-1)!) || states.slice(0, -1).some(({ length }) => length === 0);
  }

  #isWitness({ states, length }: SearchState): boolean {
    if (length < this.#minLength) return false;
    const isEmpty = length === 0;
    return (
      this.#narrow.every((one, index) => one.accepts(states[index]!, isEmpty)) &&
      !this.#wide.accepts(states.at(-1)!, isEmpty)
    );
  }

  #key({ states, length }: SearchState): string {
    // Only at the first position may edges be taken that lead from before the first character.
    return `${Math.min(length, Math.max(this.#minLength, 1))};${states.map((set) => set.join(',')).join(';')}`;
  }
}

function textOf(position: SearchState): string {
  const letters: number[] = [];
  for (let at: SearchState | undefined = position; at !== undefined && at.last >= 0; at = at.before)
    letters.unshift(at.last);
  return String.fromCodePoint(...letters);
}
