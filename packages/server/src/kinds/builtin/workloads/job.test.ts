import { describe, expect, it } from 'vitest';
import { Trial } from '../trial.ts';
import { jobs } from './job.ts';

const trial = new Trial(jobs);
const template = (spec = {}, labels?: object) => ({
  ...(labels && { metadata: { labels } }),
  spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }], ...spec },
});
const metadata = { name: 'a', uid: 'u' };
const job = (rest: object = {}) => ({ metadata, spec: { template: template(), ...rest } });
const faults = (rest: object) => trial.faults(job(rest));
const GENERATED = {
  'batch.kubernetes.io/controller-uid': 'u',
  'batch.kubernetes.io/job-name': 'a',
  'controller-uid': 'u',
  'job-name': 'a',
};

describe('jobs', () => {
  it('have defaults', () => {
    expect(trial.create(job())['spec']).toMatchObject({
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      suspend: false,
      podReplacementPolicy: 'TerminatingOrFailed',
      manualSelector: false,
    });
  });

  it('need no number of completions if they have a parallelism', () => {
    const { spec } = trial.create(job({ parallelism: 3 })) as unknown as { spec: object };
    expect(spec).toMatchObject({ parallelism: 3 });
    expect(spec).not.toHaveProperty('completions');
  });

  it('select their pods by labels that only they have', () => {
    expect(trial.create(job())).toMatchObject({
      metadata: { labels: GENERATED },
      spec: {
        selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u' } },
        template: { metadata: { labels: GENERATED } },
      },
    });
  });

  it('leave a manual selector alone', () => {
    const manual = {
      manualSelector: true,
      selector: { matchLabels: { x: 'y' } },
      template: template({}, { x: 'y' }),
    };
    expect(trial.create(job(manual))['spec']).toMatchObject({ selector: { matchLabels: { x: 'y' } } });
    expect(faults(manual)).toEqual([]);
  });

  const indexed = { completionMode: 'Indexed', completions: 3 };
  it.each<[object, string[]]>([
    [{}, []],
    [
      { template: template({ restartPolicy: 'Always' }) },
      ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ],
    [
      { completionMode: 'Odd' },
      ['spec.completionMode: Unsupported value: "Odd": supported values: "NonIndexed", "Indexed"'],
    ],
    [
      { completionMode: 'Indexed', parallelism: 1 },
      ['spec.completions: Required value: when completion mode is Indexed'],
    ],
    [
      { backoffLimitPerIndex: 1 },
      ['spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode'],
    ],
    [
      { ...indexed, maxFailedIndexes: 4 },
      [
        'spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified',
        'spec.maxFailedIndexes: Invalid value: 4: must be less than or equal to completions',
      ],
    ],
    [
      { podFailurePolicy: { rules: [{ action: 'Odd' }] } },
      [
        'spec.podFailurePolicy.rules[0].action: Unsupported value: "Odd": supported values: "Count", "FailIndex", "FailJob", "Ignore"',
        'spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required',
      ],
    ],
    [
      {
        podFailurePolicy: {
          rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [2, 0, 2] } }],
        },
      },
      [
        'spec.podFailurePolicy.rules[0].onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator',
        'spec.podFailurePolicy.rules[0].onExitCodes.values[2]: Duplicate value: 2',
        'spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [2,0,2]: must be ordered',
      ],
    ],
    [
      { ...indexed, successPolicy: { rules: [{ succeededIndexes: '0,2-1' }, { succeededCount: 4 }] } },
      [
        'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "0,2-1": error parsing succeededIndexes: non-increasing order, previous: 2, current: 1',
        'spec.successPolicy.rules[1].succeededCount: Invalid value: 4: must be less than or equal to 3 (the number of specified completions)',
      ],
    ],
    [
      { managedBy: 'me' },
      ['spec.managedBy: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")'],
    ],
    [
      { selector: { matchLabels: { x: 'y' } } },
      [
        expect.stringContaining('`selector` not auto-generated'),
        expect.stringContaining('`selector` does not match template `labels`'),
      ],
    ],
  ])('are validated with %j', (rest, expected) => {
    expect(faults(rest)).toEqual(expected);
  });

  const existing = (rest: object = {}) => ({
    metadata,
    spec: {
      ...rest,
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u' } },
      template: template((rest as { pod?: object }).pod, GENERATED),
    },
  });

  it('do not change their template', () => {
    const { faults: found } = trial.update(existing({ pod: { nodeSelector: { a: 'b' } } }), existing());
    expect(found).toEqual([expect.stringMatching(/^spec\.template: Invalid value: .*: field is immutable$/)]);
  });

  it('may change where their pods run while they are suspended', () => {
    const old = existing({ suspend: true });
    const next = existing({ suspend: true, pod: { nodeSelector: { a: 'b' } } });
    expect(trial.update(next, old).faults).toEqual([]);
  });

  it('do not change their image while they are suspended', () => {
    const next = existing({ suspend: true, pod: { containers: [{ name: 'c', image: 'other' }] } });
    expect(trial.update(next, existing({ suspend: true })).faults).toEqual([
      expect.stringMatching(/^spec\.template\.spec: Invalid value: .*: field is immutable$/),
    ]);
  });

  it('change their completions only together with their parallelism', () => {
    const old = existing({ ...indexed, parallelism: 3 });
    expect(trial.update(existing({ ...indexed, completions: 4, parallelism: 3 }), old).faults).toEqual([
      'spec.completions: Invalid value: 4: can only be modified in tandem with spec.parallelism',
    ]);
    expect(trial.update(existing({ ...indexed, completions: 4, parallelism: 4 }), old).faults).toEqual([]);
  });

  const condition = (type: string) => ({ type, status: 'True' });
  it.each<[object, string[]]>([
    [{ active: 1, startTime: '2026-01-02T03:04:05Z' }, []],
    [{ active: -1 }, ['status.active: Invalid value: -1: must be greater than or equal to 0']],
    [
      { conditions: [condition('Complete')] },
      [
        'status.completionTime: Required value: completionTime is required for Complete jobs',
        'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
        'status.startTime: Required value: startTime is required for finished job',
      ],
    ],
    [
      { completedIndexes: '1' },
      [expect.stringContaining('too large index: "1"'), expect.stringContaining('non-indexed')],
    ],
    [{ ready: 2 }, ['status.ready: Invalid value: 2: cannot set more ready pods than active']],
  ])('are validated with the status %j', (status, expected) => {
    expect(trial.update({ ...existing(), status }, existing(), 'status').faults).toEqual(expected);
  });

  it('say what they do', () => {
    expect(trial.columnNames.slice(0, 5)).toEqual(['Name', 'Status', 'Completions', 'Duration', 'Age']);
    expect(trial.cells(job()).slice(0, 4)).toEqual(['a', 'Running', '0/1', '']);
  });
});
