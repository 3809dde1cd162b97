import { describe, expect, it } from 'vitest';
import type { Finding } from './finding.ts';
import { foldFindings, sectionOf } from './fold.ts';

const finding = (more: Partial<Finding>): Finding => ({
  rule: 'field-removed',
  severity: 'breaking',
  scope: 'same-version',
  crd: 'widgets.foomake.io',
  kind: 'Widget',
  version: 'v1',
  path: 'spec.size',
  message: 'field removed',
  breaks: ['writers'],
  ...more,
});

describe('folding', () => {
  it('makes one entry of a change at many paths', () => {
    const paths = ['spec.a.size', 'spec.b.size', 'spec.c[*].size'];
    const [change, ...others] = foldFindings(paths.map((path) => finding({ path })));
    expect(others).toEqual([]);
    expect(change!.findings.map(({ path }) => path)).toEqual(paths);
  });

  it('makes one entry of a change in several definitions and versions', () => {
    const changes = foldFindings([
      finding({}),
      finding({ crd: 'gadgets.foomake.io' }),
      finding({ version: 'v2' }),
    ]);
    expect(changes).toHaveLength(1);
  });

  it('keeps fields of other names apart', () => {
    expect(foldFindings([finding({}), finding({ path: 'spec.color' })])).toHaveLength(2);
  });

  it('makes one entry of many fields of one object that changed alike', () => {
    const names = ['a', 'b', 'c', 'd'];
    const changes = foldFindings(names.map((name) => finding({ path: `spec.old.${name}` })));
    expect(changes.map(({ siblings }) => siblings)).toEqual([{ names, parent: 'spec.old' }]);
  });

  it('loses no finding', () => {
    const all = [1, 2, 3, 4, 5].flatMap((n) => [
      finding({ path: `spec.x.f${n}` }),
      finding({ path: `spec.y.f${n}`, message: 'field removed, with 3 fields below it' }),
      finding({ path: `spec.f${n}`, severity: 'caution' }),
    ]);
    const count = foldFindings(all).reduce((sum, { findings }) => sum + findings.length, 0);
    expect(count).toBe(all.length);
  });

  it('puts what breaks within a version before what a conversion must carry, then status', () => {
    const within = finding({});
    const between = finding({ scope: 'served-versions', toVersion: 'v2' });
    const ofStatus = finding({ path: 'status.size' });
    const caution = finding({ severity: 'caution' });
    const sections = foldFindings([caution, ofStatus, between, within]).map(({ first }) => sectionOf(first));
    expect(sections).toEqual(['within versions', 'between versions', 'status', 'cautions']);
  });
});
