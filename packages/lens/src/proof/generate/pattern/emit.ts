// Strings that a parsed pattern should match. `reach` says how far repetitions go beyond their minimum.
import { ANY, type CharSet, NOT_NEWLINE, type Pattern } from '@instar/go';
import type { Dice } from '../dice.ts';

export function emit(node: Pattern, dice: Dice, reach: number): string {
  switch (node.kind) {
    case 'begin':
    case 'end':
    case 'lineBegin':
    case 'lineEnd':
    case 'wordBoundary':
    case 'noWordBoundary':
      return '';
    case 'set':
      return String.fromCodePoint(pointOf(node.set, dice));
    case 'sequence':
      return node.parts.map((part) => emit(part, dice, reach)).join('');
    case 'choice':
      return emit(dice.pick(node.parts), dice, reach);
    case 'repeat':
      return repeated(node, dice, reach);
  }
}

function repeated(
  { part, min, max }: Extract<Pattern, { kind: 'repeat' }>,
  dice: Dice,
  reach: number,
): string {
  const count = dice.int(min, Math.min(max, min + reach));
  let text = '';
  for (let times = 0; times < count; times++) text += emit(part, dice, Math.floor(reach / 2));
  return text;
}

/** Printable ASCII if the class has any: other characters one time in twenty. */
function pointOf(ranges: CharSet, dice: Dice): number {
  // A dot stands for ordinary text.
  if (ranges === ANY || ranges === NOT_NEWLINE) return dice.int(32, 126);
  const printable = within(ranges, 33, 126);
  const chosen = printable.length > 0 && !dice.chance(5) ? printable : within(ranges, 0, 0xd7ff);
  const [low, high] = dice.pick(
    chosen.length > 0 ? chosen : ranges.length > 0 ? ranges : [[97, 97] as const],
  );
  return dice.int(low, high);
}

const within = (ranges: CharSet, low: number, high: number): CharSet =>
  ranges
    .filter((range) => range[1] >= low && range[0] <= high)
    .map((range) => [Math.max(range[0], low), Math.min(range[1], high)] as const);
