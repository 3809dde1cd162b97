// Numbers: the limits themselves, what is next to them, small ones, and now and then large ones.
import type { JSONSchemaProps } from '@instar/schema';
import type { Dice } from './dice.ts';

const INT32 = 2 ** 31 - 1;
const SAFE = Number.MAX_SAFE_INTEGER;
const BEYOND_DOUBLES = 2n ** 53n + 1n;

interface Limits {
  readonly low: number;
  readonly high: number;
}

export function integerFor(schema: JSONSchemaProps, dice: Dice): number | bigint {
  const { low, high } = integerLimits(schema);
  // Programs that read numbers as doubles corrupt these.
  const isUnlimited =
    schema.maximum === undefined && schema.multipleOf === undefined && schema.format === 'int64';
  if (isUnlimited && dice.chance(2)) return dice.bigint(BEYOND_DOUBLES, 2n ** 63n - 1n);
  const value = chosen({ low, high }, dice);
  const step = Math.max(1, Math.trunc(Number(schema.multipleOf ?? 1)));
  if (step === 1) return value;
  const multiple = Math.ceil(value / step) * step;
  return multiple > high ? Math.floor(high / step) * step : multiple;
}

function integerLimits(schema: JSONSchemaProps): Limits {
  const [least, most] = schema.format === 'int32' ? [-INT32 - 1, INT32] : [-SAFE, SAFE];
  const low =
    schema.minimum === undefined
      ? least
      : Math.ceil(Number(schema.minimum)) + (schema.exclusiveMinimum === true ? 1 : 0);
  const high =
    schema.maximum === undefined
      ? most
      : Math.floor(Number(schema.maximum)) - (schema.exclusiveMaximum === true ? 1 : 0);
  return { low: Math.max(low, least), high: Math.min(high, most) };
}

function chosen({ low, high }: Limits, dice: Dice): number {
  const clamp = (value: number): number => Math.min(Math.max(value, low), high);
  switch (dice.int(0, 9)) {
    case 0:
      return low > -SAFE ? low : clamp(-1);
    case 1:
      return high < SAFE ? high : clamp(1);
    case 2:
      return clamp(0);
    case 3:
      return dice.int(low, high);
    default:
      return dice.int(clamp(Math.max(low, 0)), clamp(Math.max(low, 0) + 100));
  }
}

export function numberFor(schema: JSONSchemaProps, dice: Dice): number | bigint {
  if (schema.multipleOf !== undefined || dice.chance(50)) return integerOrEdge(schema, dice);
  const low = Number(schema.minimum ?? -100);
  const high = Number(schema.maximum ?? Math.max(low, 0) + 100);
  const value = Math.round((low + dice.fraction() * (high - low)) * 100) / 100;
  const isExcluded =
    (schema.exclusiveMinimum === true && value <= low) || (schema.exclusiveMaximum === true && value >= high);
  return isExcluded || value < low || value > high ? (low + high) / 2 : value;
}

/** Between narrow limits there may be no integer. */
function integerOrEdge(schema: JSONSchemaProps, dice: Dice): number | bigint {
  const { low, high } = integerLimits(schema);
  if (low <= high) return integerFor(schema, dice);
  return (Number(schema.minimum ?? 0) + Number(schema.maximum ?? 0)) / 2;
}
