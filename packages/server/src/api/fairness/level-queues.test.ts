import { MetricsRegistry } from '@instar/serving';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFairnessMetrics } from './fairness-metrics.ts';
import type { Flow, Rejection } from './flow.ts';
import { LevelQueues, type LevelSettings, type Seated } from './level-queues.ts';
import { handOf } from './shuffle-shard.ts';

const SETTINGS: LevelSettings = { type: 'queue', queues: 8, handSize: 1, queueLength: 50 };
let now = 0;

const metricsOf = (schema: string) => createFairnessMetrics(new MetricsRegistry()).of('level', schema);
const flowAt = (...hand: number[]): Flow => ({
  metrics: metricsOf('schema'),
  schema: 'schema',
  distinguisher: hand.join(),
  hand,
});

function levelOf(limit: number, settings: Partial<LevelSettings> = {}): LevelQueues {
  now = 0;
  return new LevelQueues({ ...SETTINGS, ...settings }, limit, () => now);
}

/** What became of requests that had to wait. */
class Outcomes {
  readonly seated: Seated[] = [];
  readonly rejected: Rejection[] = [];
  readonly ends: ((why: Rejection) => void)[] = [];

  async add(level: LevelQueues, flow: Flow, seats = 1): Promise<void> {
    const outcome = await level.wait(flow, seats, (end) => this.ends.push(end));
    if (typeof outcome === 'string') this.rejected.push(outcome);
    else this.seated.push(outcome);
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('seats requests at once while there is room', () => {
  const level = levelOf(2);
  expect([1, 2, 3].map(() => level.tryStart(flowAt(0), 1) !== undefined)).toEqual([true, true, false]);
});

it('seats a request that waits when another has finished', async () => {
  const level = levelOf(1);
  const first = level.tryStart(flowAt(0), 1)!;
  const outcomes = new Outcomes();
  void outcomes.add(level, flowAt(1));
  await settled();
  expect(outcomes.seated).toEqual([]);
  level.finish(first);
  await settled();
  expect([outcomes.seated.length, level.executing, level.waiting]).toEqual([1, 1, 0]);
});

it('gives a newcomer its turn before the backlog of another flow', async () => {
  const level = levelOf(1);
  const greedy = flowAt(0);
  const running = level.tryStart(greedy, 1)!;
  const outcomes = new Outcomes();
  for (let i = 0; i < 40; i++) void outcomes.add(level, greedy);
  const modest = flowAt(1);
  void outcomes.add(level, modest);
  now += 1;
  level.finish(running);
  await settled();
  level.finish(outcomes.seated[0]!);
  await settled();
  expect(outcomes.seated.slice(0, 2).map(({ flow }) => flow)).toContain(modest);
});

it('refuses beyond the length of the queue, and without queues at once', async () => {
  const level = levelOf(1, { queueLength: 1 });
  level.tryStart(flowAt(0), 1);
  const outcomes = new Outcomes();
  void outcomes.add(level, flowAt(0));
  await outcomes.add(level, flowAt(0));
  const rejecting = levelOf(1, { type: 'reject' });
  rejecting.tryStart(flowAt(), 1);
  await outcomes.add(rejecting, flowAt());
  expect(outcomes.rejected).toEqual(['queue-full', 'concurrency-limit']);
});

it('lets a request that has waited too long go, and those behind it pass', async () => {
  const level = levelOf(2);
  level.tryStart(flowAt(0), 1);
  const outcomes = new Outcomes();
  void outcomes.add(level, flowAt(1), 2);
  void outcomes.add(level, flowAt(1), 1);
  outcomes.ends[0]!('time-out');
  await settled();
  expect([outcomes.rejected, outcomes.seated.map(({ seats }) => seats)]).toEqual([['time-out'], [1]]);
  expect(level.counts).toMatchObject({ rejected: 1, timedOut: 1 });
});

it('seats a request that is wider than the level when nothing else is executing', async () => {
  const level = levelOf(2);
  const small = level.tryStart(flowAt(0), 1)!;
  const outcomes = new Outcomes();
  void outcomes.add(level, flowAt(1), 9);
  await settled();
  expect(outcomes.seated).toEqual([]);
  level.finish(small);
  await settled();
  expect(outcomes.seated.length).toBe(1);
});

it('never limits an exempt level', () => {
  const level = levelOf(0, { type: 'exempt' });
  const seated = Array.from({ length: 100 }, () => level.tryStart(flowAt(), 1));
  expect(seated.every((one) => one !== undefined)).toBe(true);
});

it('seats those that wait when it gets more seats', async () => {
  const level = levelOf(1);
  level.tryStart(flowAt(0), 1);
  const outcomes = new Outcomes();
  void outcomes.add(level, flowAt(0));
  level.setLimit(2);
  await settled();
  expect(outcomes.seated.length).toBe(1);
});

it('divides work evenly between flows that always want more, whatever they ask for', async () => {
  const sizes = fc.array(
    fc.record({ seats: fc.integer({ min: 1, max: 4 }), seconds: fc.integer({ min: 1, max: 5 }) }),
    {
      minLength: 1,
      maxLength: 4,
    },
  );
  await fc.assert(
    fc.asyncProperty(sizes, sizes, fc.integer({ min: 4, max: 12 }), async (first, second, limit) => {
      const level = levelOf(limit, { queueLength: 10 });
      const flows = [first, second].map((requests, index) => ({
        requests,
        flow: flowAt(index),
        sent: 0,
        work: 0,
      }));
      const running = new Map<Seated, number>();
      const secondsOf = new Map<Flow, number[]>(flows.map(({ flow }) => [flow, []]));
      const outcomes = new Outcomes();
      // Each has more in its queue than there are seats, so that it never runs empty.
      const refill = (): void => {
        for (const source of flows)
          while (secondsOf.get(source.flow)!.length <= limit) {
            const { seats, seconds } = source.requests[source.sent++ % source.requests.length]!;
            secondsOf.get(source.flow)!.push(seconds);
            void outcomes.add(level, source.flow, seats);
          }
      };
      for (let turn = 0; turn < 200; turn++) {
        refill();
        await settled();
        for (const seated of outcomes.seated.splice(0))
          running.set(seated, now + secondsOf.get(seated.flow)!.shift()!);
        const next = [...running].reduce((a, b) => (b[1] < a[1] ? b : a));
        now = next[1];
        running.delete(next[0]);
        flows.find(({ flow }) => flow === next[0].flow)!.work += next[0].seats * (now - next[0].since);
        level.finish(next[0]);
      }
      // The work in flight of one flow, which its tag does not know yet, and one request of each.
      const bound = limit * 5 + 2 * (4 * 5);
      expect(Math.abs(flows[0]!.work - flows[1]!.work)).toBeLessThanOrEqual(bound);
    }),
    { numRuns: 30 },
  );
});

it('deals every flow distinct queues, always the same ones', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 1, max: 8 }),
      (flow, queues, size) => {
        const hand = handOf(flow, queues, Math.min(size, queues));
        expect(new Set(hand).size).toBe(Math.min(size, queues));
        expect(hand.every((queue) => queue >= 0 && queue < queues)).toBe(true);
        expect(handOf(flow, queues, Math.min(size, queues))).toEqual(hand);
      },
    ),
  );
});
