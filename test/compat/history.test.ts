// Real changes from release to release: nothing crashes, nothing is unhandled, and changes of documentation
// break nothing. Every fifteenth pair and all controls are checked here; `node test/compat/history.mjs`
// checks all of them and compares with crdify.
import { check } from '@instar/compat';
import { type JsonObject, parseYaml } from '@instar/machinery';
import { describeUnless, missingCorpus, readCorpus } from '@instar/testing';
import { expect, it } from 'vitest';

interface Pair {
  readonly dir: string;
  readonly changes: readonly string[];
}

const isControl = ({ changes }: Pair): boolean =>
  changes.every((change) => change === 'descriptions' || change === 'metadataOnly');
const findingsOf = ({ dir }: Pair) => {
  const [old, next] = ['old', 'new'].map(
    (side) => parseYaml(readCorpus(`history/${dir}/${side}.yaml`)).value as JsonObject,
  );
  return check(old, next);
};

describeUnless(missingCorpus(), 'the history of real definitions', () => {
  const pairs: Pair[] = JSON.parse(readCorpus('history/index.json'));

  it('has no breaking finding in a control', () => {
    const controls = pairs.filter(isControl);
    expect(controls.length).toBe(44);
    const breaking = controls.flatMap((pair) =>
      findingsOf(pair).filter(({ severity }) => severity === 'breaking' || severity === 'unsure'),
    );
    expect(breaking).toEqual([]);
  });

  it('has no unhandled finding', () => {
    const unhandled = pairs
      .filter((_, index) => index % 15 === 0)
      .flatMap((pair) => findingsOf(pair).filter(({ rule }) => rule === 'unhandled'));
    expect(unhandled).toEqual([]);
  });
});
