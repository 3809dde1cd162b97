// Values for open schemas: any JSON, kept small.
import { type JsonObject, type JsonValue, setMember } from '@instar/machinery';
import type { Dice } from './dice.ts';
import { anyText } from './strings.ts';

const KEYS = ['a', 'b', 'key', 'enabled', 'name', 'some-key', 'x.y/z', 'Größe'];

export function anyValue(dice: Dice, depth = 2): JsonValue {
  switch (dice.int(0, depth > 0 ? 6 : 3)) {
    case 0:
      return dice.int(-5, 100);
    case 1:
      return dice.chance(50);
    case 2:
    case 3:
      return anyText(dice);
    case 4:
      return Array.from({ length: dice.int(0, 2) }, () => anyValue(dice, depth - 1));
    default:
      return anyObject(dice, depth - 1);
  }
}

export function anyObject(dice: Dice, depth = 1): JsonObject {
  const object: JsonObject = {};
  for (let count = dice.int(0, 2); count > 0; count--)
    setMember(object, dice.pick(KEYS), anyValue(dice, depth));
  return object;
}

export const anyKey = (dice: Dice): string => (dice.chance(50) ? dice.pick(KEYS) : `key-${dice.int(0, 99)}`);
