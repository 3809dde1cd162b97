// Comparisons as wishes: their opposite, what they are from the other side, and numbers that fulfill them.
import { operators } from '@instar/cel';
import type { Dice } from '../dice.ts';

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';

const BY_NAME: ReadonlyMap<string, Comparison> = new Map<string, Comparison>([
  [operators.equals, '=='],
  [operators.notEquals, '!='],
  [operators.less, '<'],
  [operators.lessEquals, '<='],
  [operators.greater, '>'],
  [operators.greaterEquals, '>='],
]);

const OPPOSITE: Readonly<Record<Comparison, Comparison>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};
const FLIPPED: Readonly<Record<Comparison, Comparison>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

export const comparisonOf = (name: string): Comparison | undefined => BY_NAME.get(name);
export const opposite = (comparison: Comparison): Comparison => OPPOSITE[comparison];
export const flipped = (comparison: Comparison): Comparison => FLIPPED[comparison];

export function numberThat(comparison: Comparison, limit: number, dice: Dice): number {
  const some = dice.int(0, 2);
  switch (comparison) {
    case '==':
      return limit;
    case '<':
      return limit - 1 - some;
    case '<=':
      return limit - some;
    case '>':
      return limit + 1 + some;
    case '>=':
      return limit + some;
    case '!=':
      return limit + 1 + some;
  }
}
