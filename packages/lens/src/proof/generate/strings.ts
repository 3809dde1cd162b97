// Strings by schema keywords: pattern, format and lengths.
import type { Pattern } from '@instar/go';
import type { JSONSchemaProps } from '@instar/schema';
import type { Dice } from './dice.ts';
import { formatted } from './formats.ts';
import { accepts } from './node-check.ts';
import { emit } from './pattern/emit.ts';
import { patternTreeOf } from './pattern/parse.ts';

const WORDS = [
  'a',
  'b',
  'alpha',
  'web',
  'blue',
  'main',
  'x-1',
  'my-app',
  'v2',
  'true',
  '1',
  '0.5',
  '100m',
  '1Gi',
  '10%',
  '5s',
  '*',
];
const ODD = [
  '',
  ' ',
  'Ä',
  'é日𝄞',
  'a b',
  'a.b/c',
  'a:b',
  'A_B',
  '"quoted"',
  'line\nbreak',
  '-',
  'null',
  '~',
  '{}',
  '#',
  '%',
  'a,b',
  '1e3',
];
const TRIES = 24;

export function stringFor(schema: JSONSchemaProps, dice: Dice): string {
  let text = '';
  for (let attempt = 0; attempt < TRIES; attempt++) {
    text = candidate(schema, dice, attempt);
    if (isUnbounded(schema) || accepts(schema, text)) return text;
  }
  return text;
}

const isUnbounded = ({ pattern, format, minLength, maxLength }: JSONSchemaProps): boolean =>
  (pattern ?? '') === '' && (format ?? '') === '' && minLength === undefined && maxLength === undefined;

function candidate(
  { pattern = '', format = '', minLength = 0, maxLength }: JSONSchemaProps,
  dice: Dice,
  attempt: number,
): string {
  const most = maxLength === undefined ? Number.POSITIVE_INFINITY : Number(maxLength);
  if (pattern !== '') {
    const tree = treeOf(pattern);
    if (tree !== undefined) return emit(tree, dice, reachFor(Number(minLength), most, attempt, dice));
  }
  const made = format === '' ? undefined : formatted(format, dice);
  return made ?? fitted(anyText(dice), Number(minLength), most, dice);
}

/** Repetitions are short, unless short strings have been refused. */
function reachFor(min: number, most: number, attempt: number, dice: Dice): number {
  const wanted = Math.min(Math.max(min, 4), Number.isFinite(most) ? Math.max(most, 1) : 64);
  if (attempt === 0) return dice.int(0, 6);
  return attempt % 3 === 0 ? wanted * 2 : attempt % 3 === 1 ? dice.int(0, 2) : wanted;
}

export function anyText(dice: Dice): string {
  if (dice.chance(12)) return dice.pick(ODD);
  return dice.chance(60) ? dice.pick(WORDS) : `${dice.pick(WORDS)}-${dice.int(0, 99)}`;
}

function fitted(text: string, min: number, most: number, dice: Dice): string {
  let points = [...text];
  while (points.length < min) points = [...points, ...dice.pick(WORDS)];
  return points.length > most ? points.slice(0, most).join('') : points.join('');
}

const MAX_KEPT = 4096;
const trees = new Map<string, Pattern | undefined>();

function treeOf(pattern: string): Pattern | undefined {
  if (trees.has(pattern)) return trees.get(pattern);
  if (trees.size >= MAX_KEPT) trees.clear();
  const tree = patternTreeOf(pattern);
  trees.set(pattern, tree);
  return tree;
}
