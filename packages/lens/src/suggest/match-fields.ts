// Fields that only the old version has, matched with those that only the new one has: renames, moves, wrapped
// lists, parts of a string.
import { type Path, printPath, samePath, sameSegment, sharedLength, wildcardLength } from '../path/path.ts';
import { type Field, fieldsOf, isSchema } from './differences.ts';
import { proposeChange } from './propose-change.ts';
import { isPlural, nameSimilarity, schemaSimilarity, typeOf, wordsOf } from './similarity.ts';
import type { Suggestion } from './suggestion.ts';

export interface Matched {
  readonly suggestions: Suggestion[];
  readonly gone: readonly Field[];
  readonly fresh: readonly Field[];
}

interface Match extends Suggestion {
  readonly from: Field;
  readonly to: Field;
  /** What else has to be done at the new path. */
  readonly then?: readonly Suggestion[];
}

const LEAST = 0.5;
/** That two fields are strings, or lists of them, does not make them the same. */
const LEAST_BY_NAME = 0.4;
const MAX_PAIRS = 40_000;

export function matchFields(gone: readonly Field[], fresh: readonly Field[]): Matched {
  const suggestions: Suggestion[] = [];
  let left: Remaining = matchSplits(gone, fresh, suggestions);
  left = matchPairs(left, suggestions);
  // What was in a removed object may be elsewhere now, and what is in a new one may have been elsewhere.
  for (const sides of [['gone'], ['fresh'], ['gone', 'fresh']] as const)
    left = matchInside(left, sides, suggestions);
  return { suggestions, ...left };
}

interface Remaining {
  readonly gone: readonly Field[];
  readonly fresh: readonly Field[];
}

const MAX_ROUNDS = 30;

/**
 * Objects are replaced by their fields if every one of these has a match: half an object is better removed or
 * added as a whole.
 */
function matchInside(
  left: Remaining,
  sides: readonly ('gone' | 'fresh')[],
  suggestions: Suggestion[],
): Remaining {
  const whole = new Set<Field>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const inner: Suggestion[] = [];
    const opened = { ...left };
    for (const side of sides)
      opened[side] = left[side].flatMap((field) => (whole.has(field) ? [field] : openedOf(field)));
    const after = matchPairs(opened, inner);
    const unmatched = new Set([...after.gone, ...after.fresh].map(({ path }) => printPath(path)));
    const halves = sides
      .flatMap((side) => left[side])
      .filter(
        (field) =>
          !whole.has(field) &&
          isObject(field) &&
          openedOf(field).some(({ path }) => unmatched.has(printPath(path))),
      );
    if (halves.length === 0) {
      suggestions.push(...inner);
      return inner.length === 0 ? left : after;
    }
    for (const half of halves) whole.add(half);
  }
  return left;
}

const isObject = ({ schema }: Field): boolean => Object.keys(schema.properties ?? {}).length > 0;
const openedOf = (field: Field): Field[] => (isObject(field) ? fieldsOf(field.schema, field.path) : [field]);

function matchPairs({ gone, fresh }: Remaining, suggestions: Suggestion[]): Remaining {
  if (gone.length * fresh.length > MAX_PAIRS) return { gone, fresh };
  const matches = gone
    .flatMap((from) => fresh.map((to) => matchOf(from, to)))
    .filter((match) => match !== undefined)
    .filter(({ confidence }) => confidence >= LEAST)
    .sort((a, b) => b.confidence - a.confidence);
  const taken = new Set<Field>();
  for (const { from, to, op, confidence, why, then } of matches) {
    if (taken.has(from) || taken.has(to)) continue;
    taken.add(from).add(to);
    suggestions.push({ op, confidence, why });
    if (then !== undefined) suggestions.push(...then);
  }
  return {
    gone: gone.filter((field) => !taken.has(field)),
    fresh: fresh.filter((field) => !taken.has(field)),
  };
}

function matchOf(from: Field, to: Field): Match | undefined {
  // spec and status are not the same under another name.
  if (!passSameLists(from.path, to.path) || !sameSegment(from.path[0]!, to.path[0]!)) return undefined;
  const names = nameSimilarity(from.name, to.name);
  if (names < LEAST_BY_NAME && from.schema.properties === undefined) return undefined;
  const place = samePlace(from.path, to.path);
  const places = { from: printPath(from.path), to: printPath(to.path) };
  const isList = isSchema(to.schema.items) && typeOf(to.schema.items) === typeOf(from.schema);
  if (isList && (isPlural(from.name, to.name) || names > 0.7))
    return {
      op: { wrap: places },
      confidence: 0.8 * names + 0.2 * place,
      why: 'a list of what was one',
      from,
      to,
    };
  if (typeOf(from.schema) !== typeOf(to.schema)) return changedMatch(from, to, names * 0.7 + place * 0.1);
  const confidence = Math.min(1, 0.45 * names + 0.4 * weight(from, to) + 0.15 * place);
  const isSibling = samePath(from.path.slice(0, -1), to.path.slice(0, -1));
  if (!isLikely(from, to, names, isSibling)) return undefined;
  const percent = (n: number): string => `${Math.round(n * 100)} %`;
  const why = `names ${percent(names)} alike, schemas ${percent(schemaSimilarity(from.schema, to.schema))}`;
  return { op: isSibling ? { rename: places } : { move: places }, confidence, why, from, to };
}

/** What moves keeps its name, or is so large that its content identifies it. */
function isLikely(from: Field, to: Field, names: number, isSibling: boolean): boolean {
  const similarity = schemaSimilarity(from.schema, to.schema);
  if (isSibling) return similarity >= 0.3;
  return similarity >= 0.5 && (from.schema.properties !== undefined || names >= 0.6);
}

/** That two strings are both strings says little; that two large objects are similar says much. */
function weight(from: Field, to: Field): number {
  const similarity = schemaSimilarity(from.schema, to.schema);
  return from.schema.properties === undefined &&
    from.schema.items === undefined &&
    from.schema.enum === undefined
    ? similarity * 0.75
    : similarity;
}

function changedMatch(from: Field, to: Field, confidence: number): Match | undefined {
  const then = proposeChange({ path: to.path, before: from.schema, after: to.schema });
  if (then.length === 0) return undefined;
  return {
    op: { move: { from: printPath(from.path), to: printPath(to.path) } },
    confidence,
    why: 'moved, with another type',
    from,
    to,
    then,
  };
}

function passSameLists(a: Path, b: Path): boolean {
  const [x, y] = [a.slice(0, wildcardLength(a)), b.slice(0, wildcardLength(b))];
  return x.length === y.length && x.every((segment, i) => sameSegment(segment, y[i]!));
}

const samePlace = (a: Path, b: Path): number => sharedLength(a, b) / Math.max(a.length - 1, b.length - 1, 1);

/** hostPort became host and port. */
function matchSplits(gone: readonly Field[], fresh: readonly Field[], suggestions: Suggestion[]): Remaining {
  let left: Remaining = { gone, fresh };
  for (const whole of gone.filter(({ schema }) => schema.type === 'string')) {
    const parts = partsOf(whole, left.fresh);
    if (parts === undefined) continue;
    const to = parts.map(({ path }) => printPath(path));
    suggestions.push({
      op: { split: { from: printPath(whole.path), separator: ':', to } },
      confidence: 0.6,
      why: 'its name is made of theirs; the separator is a guess',
    });
    for (const { schema, path } of parts) {
      if (schema.type === 'integer')
        suggestions.push({
          op: { cast: { path: printPath(path), from: 'string', to: 'integer' } },
          confidence: 0.6,
          why: 'a part that is a number',
        });
    }
    left = {
      gone: left.gone.filter((field) => field !== whole),
      fresh: left.fresh.filter((field) => !parts.includes(field)),
    };
  }
  return left;
}

function partsOf(whole: Field, fresh: readonly Field[]): Field[] | undefined {
  const words = wordsOf(whole.name);
  const siblings = fresh.filter(
    ({ path, schema }) =>
      samePath(path.slice(0, -1), whole.path.slice(0, -1)) &&
      (schema.type === 'string' || schema.type === 'integer'),
  );
  const parts = words.map((word) => siblings.find(({ name }) => name.toLowerCase() === word));
  return words.length > 1 && parts.every((part) => part !== undefined) ? (parts as Field[]) : undefined;
}
