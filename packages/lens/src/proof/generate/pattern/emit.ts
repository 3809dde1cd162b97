// Strings that a parsed pattern should match. `reach` says how far repetitions go beyond their minimum.
import type { Dice } from '../dice.ts';
import type { PatternNode, Ranges } from './syntax.ts';

export function emit(node: PatternNode, dice: Dice, reach: number): string {
  switch (node.kind) {
    case 'nothing':
      return '';
    case 'class':
      return String.fromCodePoint(pointOf(node.ranges, dice));
    case 'sequence':
      return node.parts.map((part) => emit(part, dice, reach)).join('');
    case 'choice':
      return emit(dice.pick(node.branches), dice, reach);
    case 'repeat':
      return repeated(node, dice, reach);
  }
}

function repeated(
  { inner, min, max }: Extract<PatternNode, { kind: 'repeat' }>,
  dice: Dice,
  reach: number,
): string {
  const count = dice.int(min, Math.min(max, min + reach));
  let text = '';
  for (let times = 0; times < count; times++) text += emit(inner, dice, Math.floor(reach / 2));
  return text;
}

/** Printable ASCII if the class has any: other characters one time in twenty. */
function pointOf(ranges: Ranges, dice: Dice): number {
  const printable = within(ranges, 33, 126);
  const chosen = printable.length > 0 && !dice.chance(5) ? printable : within(ranges, 0, 0xd7ff);
  const [low, high] = dice.pick(
    chosen.length > 0 ? chosen : ranges.length > 0 ? ranges : [[97, 97] as const],
  );
  return dice.int(low, high);
}

const within = (ranges: Ranges, low: number, high: number): Ranges =>
  ranges
    .filter((range) => range[1] >= low && range[0] <= high)
    .map((range) => [Math.max(range[0], low), Math.min(range[1], high)] as const);
