// Random histories against a model so simple that it is obviously right: a full copy of the state for every
// revision.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Commit, Store } from '../store.ts';
import { bytes, type ContractStore, textOf } from './engine.ts';
import { Recorder } from './recorder.ts';

const KEYS = ['/a', '/a/1', '/a/2', '/b/1', '/b/é', '/b/\u{1f600}', '/c'];
const PREFIXES = ['', '/', '/a', '/a/', '/b/', '/c', '/d'];

/** What a step requests; numbers are reduced to what exists when it runs. */
type Step =
  | {
      readonly type: 'commit';
      readonly conditions: { key: string; right: boolean }[];
      readonly puts: string[];
      readonly deletes: string[];
    }
  | {
      readonly type: 'list';
      readonly prefix: string;
      readonly back: number;
      readonly limit: number;
      readonly after: string | undefined;
    }
  | { readonly type: 'watch'; readonly prefix: string; readonly back: number }
  | { readonly type: 'compact'; readonly back: number };

const key = fc.constantFrom(...KEYS);
const prefix = fc.constantFrom(...PREFIXES);
const back = fc.nat({ max: 8 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('commit' as const),
      conditions: fc.array(fc.record({ key, right: fc.boolean().map((wrong) => !wrong) }), { maxLength: 2 }),
      puts: fc.uniqueArray(key, { maxLength: 3 }),
      deletes: fc.uniqueArray(key, { maxLength: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('list' as const),
      prefix,
      back,
      limit: fc.integer({ min: 1, max: 8 }),
      after: fc.option(key, { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('watch' as const), prefix, back }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('compact' as const), back }) },
);

interface ModelEntry {
  readonly text: string;
  readonly create: number;
  readonly mod: number;
}
type State = ReadonlyMap<string, ModelEntry>;

class Model {
  readonly states = new Map<number, State>();
  readonly events: { line: string; key: string; revision: number }[] = [];
  revision: number;
  compacted: number;

  constructor(revision: number, compacted: number) {
    this.revision = revision;
    this.compacted = compacted;
    this.states.set(revision, new Map());
  }

  get state(): State {
    return this.states.get(this.revision)!;
  }

  commit({ conditions, operations }: Commit): boolean {
    if (!conditions.every((condition) => (this.state.get(condition.key)?.mod ?? 0) === condition.modRevision))
      return false;
    const state = new Map(this.state);
    const revision = this.revision + 1;
    const events = operations.flatMap((operation) => {
      const before = state.get(operation.key);
      if (operation.type === 'delete' && before === undefined) return [];
      if (operation.type === 'delete') state.delete(operation.key);
      else
        state.set(operation.key, {
          text: Buffer.from(operation.value).toString(),
          create: before?.create ?? revision,
          mod: revision,
        });
      return [
        {
          key: operation.key,
          revision,
          line: eventLine(
            operation.type,
            operation.key,
            revision,
            state.get(operation.key)?.text,
            before?.text,
          ),
        },
      ];
    });
    if (events.length === 0) return true;
    this.revision = revision;
    this.states.set(revision, state);
    this.events.push(...events);
    return true;
  }

  list(prefixed: string, revision: number, after: string | undefined): string[] {
    const keys = [...this.states.get(revision)!.keys()].filter((one) => one.startsWith(prefixed));
    const later = keys.filter((one) => after === undefined || Buffer.compare(bytes(one), bytes(after)) > 0);
    later.sort((a, b) => Buffer.compare(bytes(a), bytes(b)));
    const state = this.states.get(revision)!;
    return later.map(
      (one) => `${one}=${state.get(one)!.text} ${state.get(one)!.create} ${state.get(one)!.mod}`,
    );
  }
}

/** Short and long ones, which an engine may store differently; consecutive ones differ in some positions. */
const valueOfPut = (count: number): string =>
  count % 3 === 0 ? `v${count}` : `{"count":${count},"data":"${LONG}","last":"${count % 5}"}`;
const LONG = Array.from({ length: 40 }, (_, at) => `word-${at * 7919}`).join(' ');

const eventLine = (
  type: string,
  at: string,
  revision: number,
  text: string | undefined,
  before: string | undefined,
): string => `${revision} ${type} ${at}: ${before} → ${text}`;

interface ModelRun {
  readonly store: Store;
  readonly model: Model;
  readonly watches: { readonly watch: Recorder; readonly prefix: string; readonly from: number }[];
  count: number;
}

export function describeModel({ open }: ContractStore): void {
  describe('random histories', () => {
    it('end as the model says, and so does every list and watch on the way', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
          const store = await open();
          try {
            await runSteps(store, steps);
          } finally {
            await store.close();
          }
        }),
        { numRuns: 60 },
      );
    }, 60_000);
  });
}

async function runSteps(store: Store, steps: readonly Step[]): Promise<void> {
  const run: ModelRun = {
    store,
    model: new Model(await store.currentRevision(), await store.compactedRevision()),
    watches: [],
    count: 0,
  };
  for (const one of steps) await runStep(run, one);
  for (const { watch, prefix: prefixed, from } of run.watches) {
    if (from <= run.model.revision) await watch.reaches(run.model.revision);
    const expected = run.model.events.filter(
      (event) => event.revision >= from && event.key.startsWith(prefixed),
    );
    expect(
      watch.events.map((event) =>
        eventLine(event.type, event.key, event.revision, textOf(event.entry), textOf(event.previous)),
      ),
    ).toEqual(expected.map((event) => event.line));
    expect(watch.faults).toEqual([]);
    watch.stop();
  }
}

async function runStep(run: ModelRun, one: Step): Promise<void> {
  const { store, model } = run;
  switch (one.type) {
    case 'commit':
      return commitStep(run, one);
    case 'list':
      return listStep(run, one);
    case 'watch': {
      const from = Math.max(model.revision + 1 - one.back, model.compacted + 1);
      const watch = new Recorder(store, one.prefix, from);
      // A watch that is still reading history may rightly lose it to the next compaction, so it catches up
      // first.
      if (from <= model.revision) await watch.reaches(model.revision);
      run.watches.push({ watch, prefix: one.prefix, from });
      return;
    }
    case 'compact':
      model.compacted = Math.max(model.revision - one.back, model.compacted);
      await store.compact(model.compacted);
      expect(await store.compactedRevision()).toBe(model.compacted);
  }
}

async function commitStep(run: ModelRun, one: Step & { type: 'commit' }): Promise<void> {
  const { store, model } = run;
  const puts = one.puts.map((at) => ({
    type: 'put' as const,
    key: at,
    value: bytes(valueOfPut(run.count++)),
  }));
  const deletes = one.deletes
    .filter((at) => !one.puts.includes(at))
    .map((at) => ({ type: 'delete' as const, key: at }));
  const conditions = one.conditions.map(({ key: at, right }) => ({
    key: at,
    modRevision: (model.state.get(at)?.mod ?? 0) + (right ? 0 : 1),
  }));
  const commit = { conditions, operations: [...puts, ...deletes] };
  const committed = model.commit(commit);
  const result = await store.commit(commit);
  expect([result.committed, result.revision]).toEqual([committed, model.revision]);
  if (result.committed) return;
  const standing = [...new Set(conditions.map((condition) => condition.key))].filter((at) =>
    model.state.has(at),
  );
  expect(result.current.map((entry) => `${entry.key} ${entry.modRevision}`)).toEqual(
    standing.map((at) => `${at} ${model.state.get(at)!.mod}`),
  );
}

async function listStep({ store, model }: ModelRun, one: Step & { type: 'list' }): Promise<void> {
  const revision = model.revision - one.back;
  const options = {
    prefix: one.prefix,
    limit: one.limit,
    ...(one.after !== undefined && { after: one.after }),
  };
  if (revision >= 0 && revision < model.compacted) {
    await expect(store.list({ ...options, revision })).rejects.toMatchObject({ code: 'compacted' });
    return;
  }
  if (!model.states.has(revision)) return;
  const page = await store.list(one.back === 0 ? options : { ...options, revision });
  const all = model.list(one.prefix, revision, one.after);
  const lines = page.entries.map(
    (entry) => `${entry.key}=${textOf(entry)} ${entry.createRevision} ${entry.modRevision}`,
  );
  expect({ lines, more: page.more, revision: page.revision }).toEqual({
    lines: all.slice(0, one.limit),
    more: all.length > one.limit,
    revision,
  });
  if (page.remaining !== undefined) expect(page.remaining).toBe(Math.max(all.length - one.limit, 0));
}
