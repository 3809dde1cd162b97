// Comparisons as goals: their negation, their mirror image, and numbers that satisfy them.
import { operators } from '@instar/cel';
import type { Dice } from '../dice.ts';

export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';

const BY_NAME: ReadonlyMap<string, ComparisonOperator> = new Map<string, ComparisonOperator>([
  [operators.equals, '=='],
  [operators.notEquals, '!='],
  [operators.less, '<'],
  [operators.lessEquals, '<='],
  [operators.greater, '>'],
  [operators.greaterEquals, '>='],
]);

const OPPOSITE: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};
const FLIPPED: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

export const comparisonOf = (name: string): ComparisonOperator | undefined => BY_NAME.get(name);
export const opposite = (comparison: ComparisonOperator): ComparisonOperator => OPPOSITE[comparison];
export const flipped = (comparison: ComparisonOperator): ComparisonOperator => FLIPPED[comparison];

export function numberThat(comparison: ComparisonOperator, limit: number, dice: Dice): number {
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
