// Every definition of the corpus, as real projects publish them, against the verdict that kube-apiserver
// gave.
import { parseYaml } from '@instar/machinery';
import { describeUnless, missingCorpus, readCorpus } from '@instar/testing';
import { expect, it } from 'vitest';
import { nonStructuralCondition } from './non-structural.ts';
import { prepareCrdForCreate } from './prepare.ts';
import { decoded } from './testing/decoded.ts';
import { validateCrdCreate } from './validate/crd.ts';

interface Verdict {
  file: string;
  name: string;
  code: number;
  causes?: [field: string, reason: string][];
}

/** Definitions in v1beta1 are refused before they are validated. */
function readVerdicts(): Verdict[] {
  const verdicts: Verdict[] = JSON.parse(readCorpus('verdicts/crds.json'));
  return verdicts.filter(({ code }) => code === 201 || code === 422);
}

/** What is refused, and which schemas are not structural, in the words of the verdicts. */
function judge(file: string): { causes: string[]; structural: boolean } {
  const crd = decoded(parseYaml(readCorpus(file)).value as object);
  prepareCrdForCreate(crd);
  const causes = validateCrdCreate(crd).map(({ field, type }) => `${field} ${type}`);
  return { causes: [...new Set(causes)].sort(), structural: nonStructuralCondition(crd) === undefined };
}

describeUnless(missingCorpus(), 'the corpus of definitions', () => {
  it('is accepted and refused as by kube-apiserver, for the same fields', () => {
    const verdicts = readVerdicts();
    const differing = verdicts.flatMap(({ file, code, causes = [] }) => {
      const found = judge(file);
      const expected = [...new Set(causes.map(([field, reason]) => `${field} ${reason}`))].sort();
      const agrees = found.causes.join() === expected.join() && (code === 422 || found.structural);
      return agrees ? [] : [{ file, ...found, expected }];
    });
    expect(differing).toEqual([]);
    expect(verdicts.length).toBeGreaterThan(0);
  }, 120_000);
});
