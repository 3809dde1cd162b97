import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RetryAfter } from './retry-after.ts';
import { SeatDemand } from './seat-demand.ts';
import { allotted, fairProportion, seatLimits } from './shares.ts';

it('divides the seats by shares, and says how many may be lent and borrowed', () => {
  const shares = { nominalConcurrencyShares: 40, lendablePercent: 25 };
  expect(seatLimits(600, shares, 245)).toEqual({ nominal: 98, min: 73, max: 698 });
  expect(seatLimits(600, { ...shares, borrowingLimitPercent: 50 }, 245).max).toBe(147);
  expect(seatLimits(600, { ...shares, nominalConcurrencyShares: 0 }, 0).nominal).toBe(0);
});

it('allots no more than there is, each within its bounds, and equal parts between them', () => {
  const demand = fc
    .record({ min: fc.nat(50), wish: fc.nat(100), room: fc.nat(100) })
    .map(({ min, wish, room }) => ({ min, target: min + wish, max: min + room }));
  fc.assert(
    fc.property(fc.array(demand, { minLength: 1, maxLength: 8 }), fc.nat(600), (demands, more) => {
      const total = demands.reduce((sum, { min }) => sum + min, 0) + more;
      const proportion = fairProportion(total, demands);
      const given = demands.map((one) => allotted(one, proportion));
      for (const [index, { min, max }] of demands.entries()) {
        expect(given[index]).toBeGreaterThanOrEqual(min);
        expect(given[index]).toBeLessThanOrEqual(max);
      }
      const sum = given.reduce((all, one) => all + one, 0);
      const most = demands.reduce((all, { max }) => all + max, 0);
      expect(sum).toBeCloseTo(Math.min(total, most), 2);
    }),
  );
});

describe('the demand of a level', () => {
  it('is averaged over time', () => {
    const demand = new SeatDemand(0);
    demand.set(10, 0);
    demand.set(0, 5);
    expect(demand.summarize(10)).toEqual({ highWatermark: 10, average: 5, deviation: 5 });
  });

  it('grows at once and shrinks slowly', () => {
    const demand = new SeatDemand(0);
    demand.set(10, 0);
    demand.summarize(10);
    expect(demand.smoothed).toBe(10);
    demand.set(0, 10);
    demand.summarize(20);
    expect(demand.smoothed).toBeGreaterThan(9);
  });
});

describe('the delay that refused clients are told', () => {
  const refuse = (delay: RetryAfter, from: number, perSecond: number, seconds: number): void => {
    for (let at = 0; at < seconds * perSecond; at++) delay.refused(from + at / perSecond);
  };

  it('doubles while many are refused, up to 32 s', () => {
    const delay = new RetryAfter();
    refuse(delay, 0, 1, 1);
    expect(delay.seconds).toBe(1);
    refuse(delay, 100, 50, 200);
    expect(delay.seconds).toBe(32);
  });

  it('is a second again after a quiet time', () => {
    const delay = new RetryAfter();
    refuse(delay, 0, 50, 20);
    refuse(delay, 1000, 1, 1);
    expect(delay.seconds).toBe(1);
  });
});
