// Generates numbers within the limits of a schema, including the limits and the numbers that rules mention.
import type { JSONSchemaProps } from '@instar/schema';
import { conjunctsOf } from '../walk/node-pair.ts';
import type { Hints } from './hints.ts';
import type { Random } from './random.ts';

export function numberFor(schema: JSONSchemaProps, random: Random, hints: Hints): number {
  const low = Math.max(...limits(schema, 'minimum', 1), -Infinity);
  const high = Math.min(...limits(schema, 'maximum', -1), Infinity);
  const from = Number.isFinite(low) ? low : Math.min(0, high);
  const to = Number.isFinite(high) ? high : from + 100;
  const candidates = [from, to, ...hints.numbers.filter((number) => number >= from && number <= high)];
  const value = random.chance(0.6)
    ? random.pick(candidates)
    : random.between(Math.ceil(from), Math.floor(to));
  const step = Number(schema.multipleOf ?? 0);
  const stepped = step > 0 ? Math.ceil(value / step) * step : value;
  return schema.type === 'integer' ? Math.round(stepped) : stepped;
}

function limits(schema: JSONSchemaProps, side: 'minimum' | 'maximum', inwards: number): number[] {
  const exclusive = side === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
  return conjunctsOf(schema).flatMap((one) =>
    one[side] === undefined ? [] : [Number(one[side]) + (one[exclusive] === true ? inwards : 0)],
  );
}
