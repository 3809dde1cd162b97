// Which queues of a level a flow may use: a hand that its hash deals from the deck of queues. Two flows that
// share one queue rarely share all of them, so that a flow which fills its queues leaves others a free one.
import { createHash } from 'node:crypto';

/** Distinct numbers below `queues`, the same for the same flow. */
export function handOf(flow: string, queues: number, handSize: number): number[] {
  let hash = createHash('sha256').update(flow).digest().readBigUInt64LE();
  const hand: number[] = [];
  /** What was dealt, in ascending order. */
  const dealt: number[] = [];
  for (let left = queues; hand.length < handSize; left--) {
    const deck = BigInt(left);
    let card = Number(hash % deck);
    hash /= deck;
    let at = 0;
    // The number of the card among those that are left.
    while (at < dealt.length && dealt[at]! <= card) {
      card++;
      at++;
    }
    dealt.splice(at, 0, card);
    hand.push(card);
  }
  return hand;
}
