// Real changes from release to release: nothing crashes, nothing is unhandled, and what only people read
// breaks nobody. Every fifteenth pair and all controls are checked here; `node test/compat/history.mjs`
// checks all of them and compares with crdify.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { check } from '@instar/compat';
import { type JsonObject, parseYaml } from '@instar/machinery';
import { describe, expect, it } from 'vitest';

interface Pair {
  readonly dir: string;
  readonly changes: readonly string[];
}

const corpus = `${process.env['INSTAR_SHARED'] ?? fileURLToPath(new URL('../../../shared', import.meta.url))}/corpus/`;
const hasCorpus = existsSync(corpus);
if (!hasCorpus && process.env['CI'] === 'true') throw new Error(`${corpus} is missing`);

const read = (file: string): string =>
  existsSync(corpus + file)
    ? readFileSync(corpus + file, 'utf8')
    : gunzipSync(readFileSync(`${corpus}${file}.gz`)).toString('utf8');
const pairs: Pair[] = hasCorpus ? JSON.parse(read('history/index.json')) : [];
const isControl = ({ changes }: Pair): boolean =>
  changes.every((change) => change === 'descriptions' || change === 'metadataOnly');
const findingsOf = ({ dir }: Pair) => {
  const [old, next] = ['old', 'new'].map(
    (side) => parseYaml(read(`history/${dir}/${side}.yaml`)).value as JsonObject,
  );
  return check(old, next);
};

describe.skipIf(!hasCorpus)('the history of real definitions', () => {
  it('has controls, in which nothing breaks', () => {
    const controls = pairs.filter(isControl);
    expect(controls.length).toBe(44);
    const breaking = controls.flatMap((pair) =>
      findingsOf(pair).filter(({ severity }) => severity === 'breaking' || severity === 'unsure'),
    );
    expect(breaking).toEqual([]);
  });

  it('holds nothing that no rule handles', () => {
    const unhandled = pairs
      .filter((_, index) => index % 15 === 0)
      .flatMap((pair) => findingsOf(pair).filter(({ rule }) => rule === 'unhandled'));
    expect(unhandled).toEqual([]);
  });
});
