import { describe, expect, it } from 'vitest';
import type { ClusterFacts, DefinitionFacts } from './cluster-facts.ts';
import { printDuration } from './print-duration.ts';
import { printReport } from './print-report.ts';
import { phaseReport } from './report.ts';
import { webhookFactsOf } from './webhook-facts.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2030, 0, 10);
const kinds = ['VolumeSnapshot', 'VolumeSnapshotContent'] as const;
const definitions = (served: string[], storage: string, storedVersions = [storage]): DefinitionFacts[] =>
  kinds.map((kind) => ({ kind, served, storage, storedVersions }));

/** Phase 1, with everything as it should be for two days. */
const READY: ClusterFacts = {
  now: NOW,
  definitions: definitions(['v1beta1'], 'v1beta1'),
  webhooks: [
    {
      configuration: 'w',
      webhook: 'w',
      failurePolicy: 'Fail',
      timeoutSeconds: 2,
      hasCaBundle: true,
      covers: [
        'volumesnapshots v1beta1',
        'volumesnapshots v1',
        'volumesnapshotcontents v1beta1',
        'volumesnapshotcontents v1',
      ],
    },
  ],
  probe: { outcome: 'refused', message: '' },
  objects: kinds.map((kind) => ({ kind, total: 2, invalid: 0, labeled: 0, examples: [] })),
  labeller: {
    leader: 'pod-1',
    renewedAt: NOW - 3000,
    leaseSeconds: 15,
    record: {
      invalidSnapshots: 0,
      invalidContents: 0,
      checkedAt: NOW - 20 * HOUR,
      cleanSince: NOW - 50 * HOUR,
    },
  },
};
const report = (facts: Partial<ClusterFacts> = {}) =>
  phaseReport({ ...READY, ...facts }, { waitMs: 48 * HOUR });
const bad = (facts: Partial<ClusterFacts>): string[] =>
  report(facts)
    .findings.filter(({ level }) => level !== 'ok')
    .map(({ level, text }) => `${level}: ${text}`);

describe('the phase of a cluster', () => {
  it.each([
    [definitions([], ''), 0],
    [definitions(['v1beta1'], 'v1beta1'), 1],
    [definitions(['v1', 'v1beta1'], 'v1beta1'), 2],
    [definitions(['v1'], 'v1beta1'), 2],
    [definitions(['v1', 'v1beta1'], 'v1', ['v1beta1', 'v1']), 3],
    [definitions(['v1'], 'v1'), 3],
  ])('follows from its definitions (case %#)', (definitions, phase) => {
    expect(report({ definitions }).phase).toBe(phase);
  });

  it('is 0 as long as no webhook is called', () => {
    expect(report({ webhooks: [] })).toMatchObject({ phase: 0, safe: true, next: { phase: 1 } });
  });

  it('is that of the definition that is behind', () => {
    const split = [
      ...definitions(['v1beta1'], 'v1beta1').slice(0, 1),
      ...definitions(['v1', 'v1beta1'], 'v1beta1').slice(1),
    ];
    expect(report({ definitions: split }).phase).toBe(1);
    expect(bad({ definitions: split })).toEqual([
      'blocked: VolumeSnapshot is in phase 1, VolumeSnapshotContent is in phase 2',
    ]);
  });

  it('is blocked by a definition that is not installed', () => {
    expect(bad({ definitions: definitions([], ''), webhooks: [] })[0]).toBe(
      'blocked: the definition of VolumeSnapshot is not installed',
    );
  });
});

describe('it is safe to continue', () => {
  it('when nothing has been invalid for long enough', () => {
    expect(report()).toMatchObject({ phase: 1, safe: true, next: { phase: 2 } });
    expect(bad({})).toEqual([]);
    const second = report({ definitions: definitions(['v1', 'v1beta1'], 'v1beta1') });
    expect(second).toMatchObject({ phase: 2, safe: true, next: { phase: 3 } });
    expect(second.findings.at(-1)).toMatchObject({
      level: 'caution',
      text: expect.stringContaining('migrated back first'),
    });
    expect(report({ definitions: definitions(['v1'], 'v1') })).toMatchObject({ phase: 3, safe: true });
  });

  const { labeller } = READY;
  it.each([
    [
      'an invalid object',
      { objects: [{ ...READY.objects[0]!, invalid: 1 }] },
      'blocked: 1 of 2 VolumeSnapshots is invalid, 0 labeled',
    ],
    [
      'a label left over',
      { objects: [{ ...READY.objects[1]!, labeled: 1 }] },
      'wait: 0 of 2 VolumeSnapshotContents are invalid, 1 labeled',
    ],
    [
      'a webhook that does not refuse',
      { probe: { outcome: 'accepted', message: '' } },
      'blocked: an invalid snapshot, tried in a dry run, was not refused',
    ],
    [
      'a rule too few',
      { webhooks: [{ ...READY.webhooks[0]!, covers: READY.webhooks[0]!.covers.slice(1) }] },
      'blocked: no webhook is called for volumesnapshots v1beta1',
    ],
    [
      'a lenient policy',
      { webhooks: [{ ...READY.webhooks[0]!, failurePolicy: 'Ignore' }] },
      'caution: webhook w: failurePolicy Ignore, timeoutSeconds 2',
    ],
    ['no labeller', { labeller: undefined }, 'blocked: no labeller has ever run here'],
    [
      'a labeller that died',
      { labeller: { ...labeller!, renewedAt: NOW - HOUR } },
      'blocked: no labeller runs; it was last seen 1 hour ago',
    ],
    [
      'a labeller that went',
      { labeller: { ...labeller!, leader: '' } },
      'blocked: no labeller runs; it was last seen 3 seconds ago',
    ],
    [
      'a labeller that has just begun',
      { labeller: { ...labeller!, record: undefined } },
      'wait: the labeller has not checked every object yet',
    ],
    [
      'a clean state that is new',
      { labeller: { ...labeller!, record: { ...labeller!.record!, cleanSince: NOW - 5 * HOUR } } },
      'wait: the labeller last checked everything 20 hours ago; no object has been invalid for 5 hours',
    ],
    [
      'v1beta1 still stored',
      { definitions: definitions(['v1'], 'v1', ['v1beta1', 'v1']) },
      'wait: VolumeSnapshots may still be stored in v1beta1',
    ],
  ] as [string, Partial<ClusterFacts>, string][])('unless for %s', (_, facts, finding) => {
    const said = bad(facts);
    expect(said[0]).toMatch(new RegExp(`^${finding.replace(/[()]/g, '\\$&')}`));
    expect(report(facts).safe).toBe(finding.startsWith('caution'));
  });
});

describe('the report as text', () => {
  it('has the phase, the verdict, the findings and what to do', () => {
    const objects = [
      { ...READY.objects[0]!, invalid: 1, labeled: 1, examples: ['ns/a: spec.source: Required value'] },
      READY.objects[1]!,
    ];
    expect(
      printReport(report({ objects })),
    ).toBe(`phase 1 of 3: the webhook alone is strict; v1beta1 is served and stored
on to phase 2 (v1 has the strict schema; v1beta1 is still stored): not yet

blocked  1 of 2 VolumeSnapshots is invalid, 1 labeled
           ns/a: spec.source: Required value
         → correct or delete them: kubectl get volumesnapshots --all-namespaces -l snapshot.storage.kubernetes.io/invalid-snapshot-resource
ok       2 VolumeSnapshotContents, all valid
ok       webhook w: failurePolicy Fail, timeoutSeconds 2
ok       an invalid snapshot, tried in a dry run, was refused
ok       the labeller runs (pod-1)
ok       the labeller last checked everything 20 hours ago; no object has been invalid for 2 days
`);
  });

  it.each([
    [0, '0 seconds'],
    [61_000, '1 minute'],
    [47 * HOUR, '47 hours'],
    [49 * HOUR, '2 days'],
  ])('%d ms are %s', (milliseconds, text) => {
    expect(printDuration(milliseconds)).toBe(text);
  });
});

it('webhooks are found by their rules', () => {
  const rule = {
    apiGroups: ['snapshot.storage.k8s.io'],
    apiVersions: ['v1'],
    operations: ['CREATE', 'UPDATE'],
    resources: ['volumesnapshots'],
  };
  const facts = (webhook: object) =>
    webhookFactsOf({
      apiVersion: '',
      kind: '',
      metadata: { name: 'c' },
      webhooks: [{ name: 'w', ...webhook }],
    } as never);
  expect(facts({ rules: [rule] })[0]).toMatchObject({
    failurePolicy: 'Fail',
    timeoutSeconds: 10,
    hasCaBundle: false,
  });
  expect(facts({ rules: [rule] })[0]!.covers).toEqual(['volumesnapshots v1beta1', 'volumesnapshots v1']);
  expect(facts({ rules: [rule], matchPolicy: 'Exact' })[0]!.covers).toEqual(['volumesnapshots v1']);
  expect(facts({ rules: [{ ...rule, operations: ['CREATE'] }] })).toEqual([]);
  expect(facts({ rules: [{ ...rule, apiGroups: ['*'] }] })).toEqual([]);
});
