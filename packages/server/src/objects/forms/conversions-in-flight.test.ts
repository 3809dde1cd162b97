// Requests that wait for each other's conversions: each of them ends, whatever happens to the others.
import {
  type AsyncConverter,
  ConversionFailure,
  type ConversionSource,
  type ConvertOptions,
  type Settle,
} from '@instar/convert';
import type { KubeObject } from '@instar/machinery';
import { expect, it } from 'vitest';
import type { CachedObject } from '../cached-object.ts';
import type { VersionDefinition } from '../definition.ts';
import { ConversionsInFlight, type StopOptions } from './conversions-in-flight.ts';
import type { FormOutcome } from './form-outcome.ts';

type Convert = (
  names: readonly string[],
  settle: (at: number, outcome: KubeObject | ConversionFailure) => void,
  options: ConvertOptions,
) => Promise<void>;

const VERSION = {
  apiVersion: 'example.com/v2',
  schema: { shape: () => undefined },
} as unknown as VersionDefinition;
const objectOf = (key: string): CachedObject => ({ key }) as CachedObject;
const sourceOf = ({ key: name }: CachedObject): ConversionSource => ({
  apiVersion: 'example.com/v1',
  kind: 'W',
  metadata: { name },
  json: () => '{}',
});
const GOOD = { apiVersion: 'example.com/v2', kind: 'W', metadata: {} } as KubeObject;
const failure = (name: string, together = 1): ConversionFailure =>
  new ConversionFailure('no', 'refused', sourceOf(objectOf(name)), 'example.com/v2', {
    objectsInCall: together,
  });

function conversions(
  convert: Convert,
  refusal: (cached: CachedObject) => ConversionFailure | undefined = () => undefined,
): ConversionsInFlight {
  const converter: AsyncConverter = {
    convert: async (sources, _to, settle: Settle, options = {}) => {
      if (sources.length === 0) return;
      const all = Array.from({ length: sources.length }, (_, at) => sources.at(at)!);
      const names = all.map(({ metadata }) => metadata.name!);
      await convert(names, (at, outcome) => settle(at, outcome, all[at]!), options);
    },
  };
  const form = ({ key }: CachedObject): Uint8Array => Buffer.from(key);
  return new ConversionsInFlight(converter, {
    refusal,
    source: sourceOf,
    fromConverted: form,
    fromJson: form,
  });
}

function settleAll(
  names: readonly string[],
  settle: Parameters<Convert>[1],
  outcomeOf: (name: string) => KubeObject | ConversionFailure = () => GOOD,
) {
  for (const [at, name] of names.entries()) settle(at, outcomeOf(name));
}

const turn = (): Promise<void> => new Promise((resume) => setImmediate(resume));

/** The outcome of each object, and the error if the conversion threw. */
async function converted(
  all: ConversionsInFlight,
  objects: readonly CachedObject[],
  stop: StopOptions = {},
): Promise<{ outcomes: FormOutcome[]; error?: unknown }> {
  const outcomes: FormOutcome[] = [];
  try {
    await all.convert(objects, VERSION, (index, outcome) => void (outcomes[index] = outcome), stop);
    return { outcomes };
  } catch (error) {
    return { outcomes, error };
  }
}

it('does not leave requests waiting for objects of one that failed before it could send them', async () => {
  const [a, b] = [objectOf('a'), objectOf('b')];
  const all = conversions(
    async (names, settle) => settleAll(names, settle),
    ({ key }) => {
      if (key === 'b') throw new Error('cannot be read');
      return undefined;
    },
  );
  expect((await converted(all, [a, b])).error).toEqual(new Error('cannot be read'));
  expect((await converted(all, [a])).outcomes).toEqual([Buffer.from('a')]);
});

it('fails only the request whose callback throws', async () => {
  const a = objectOf('a');
  const all = conversions(async (names, settle) => {
    await turn();
    settleAll(names, settle);
  });
  const first = converted(all, [a]);
  const failing = all.convert([a], VERSION, () => {
    throw new Error('callback failed');
  });
  const last = converted(all, [a]);
  await expect(failing).rejects.toThrow('callback failed');
  expect([(await first).outcomes, (await last).outcomes]).toEqual([[Buffer.from('a')], [Buffer.from('a')]]);
});

it('causes no unhandled rejection when requests that wait for each other fail', async () => {
  const [a, b, c] = [objectOf('a'), objectOf('b'), objectOf('c')];
  const all = conversions(async (names) => {
    for (let i = 0; i < names.length; i++) await turn();
    throw new Error(`fails with ${names.join()}`);
  });
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => {
    unhandled.push(error);
  };
  process.on('unhandledRejection', note);
  const requests = [converted(all, [a]), converted(all, [b, c, a]), converted(all, [c, b])];
  expect((await Promise.all(requests)).map(({ error }) => String(error))).toEqual([
    'Error: fails with a',
    'Error: fails with b,c',
    'Error: fails with b,c',
  ]);
  await turn();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

it('does not retry for a request that stops at its first failure and has one', async () => {
  const objects = ['a', 'b', 'c'].map(objectOf);
  let calls = 0;
  const all = conversions(async (_names, settle) => {
    calls++;
    await turn();
    settle(0, failure('a'));
  });
  const lists = await Promise.all(
    Array.from({ length: 50 }, () => converted(all, objects, { stopsAtFirst: true })),
  );
  for (const { outcomes } of lists) expect(outcomes[0]).toBeInstanceOf(ConversionFailure);
  expect(calls).toBe(1);
});

it('retries a limited number of times if all objects fail together', async () => {
  const objects = ['a', 'b', 'c'].map(objectOf);
  let calls = 0;
  const all = conversions(async (names, settle) => {
    calls++;
    await turn();
    settleAll(names, settle, (name) => failure(name, names.length));
  });
  const lists = await Promise.all(Array.from({ length: 50 }, () => converted(all, objects)));
  for (const { outcomes } of lists)
    expect(outcomes.map((form) => form instanceof ConversionFailure)).toEqual([true, true, true]);
  expect(calls).toBeLessThanOrEqual(3);
});

it('ends for every request, whatever happens to those it waits for', async () => {
  const objects = Array.from({ length: 12 }, (_, i) => objectOf(`o${i}`));
  let seed = 1;
  const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
  const all = conversions(async (names, settle, { stopsAtFirst, isAborted }) => {
    for (const [at, name] of names.entries()) {
      if (random(3) === 0) await turn();
      if (isAborted?.()) return;
      if (random(150) === 0) throw new Error('came to grief');
      const outcome = random(10) === 0 ? failure(name, 1 + random(3)) : GOOD;
      settle(at, outcome);
      if (stopsAtFirst && outcome !== GOOD) return;
    }
  });
  const one = async (): Promise<void> => {
    for (let i = random(6); i > 0; i--) await turn();
    let isAborted = false;
    const wanted = objects.filter(() => random(2) === 0);
    const stopsAtFirst = random(2) === 0;
    const asking = converted(all, [...wanted, ...wanted.slice(0, random(2))], {
      stopsAtFirst,
      isAborted: () => isAborted,
    });
    if (random(4) === 0) void turn().then(() => (isAborted = true));
    const { outcomes, error } = await asking;
    const hasFailed = outcomes.some((form) => form instanceof ConversionFailure);
    const isWhole = wanted.every((_, index) => outcomes[index] !== undefined);
    expect(isWhole || isAborted || error !== undefined || (stopsAtFirst && hasFailed)).toBe(true);
    wanted.forEach(({ key }, index) => {
      const form = outcomes[index];
      if (form instanceof Uint8Array) expect(Buffer.from(form).toString()).toBe(key);
    });
  };
  for (let round = 0; round < 100; round++) await Promise.all(Array.from({ length: 20 }, one));
});
