// Dice that start from a seed, through fast-check.
import { Arbitrary, type Random, Stream, Value } from 'fast-check';
import { Dice } from './dice.ts';

class DiceArbitrary extends Arbitrary<Dice> {
  override generate(random: Random): Value<Dice> {
    return new Value(new Dice(random.clone()), undefined);
  }

  override canShrinkWithoutContext(_value: unknown): _value is Dice {
    return false;
  }

  override shrink(): Stream<Value<Dice>> {
    return Stream.nil();
  }
}

export const DICE: Arbitrary<Dice> = new DiceArbitrary();
