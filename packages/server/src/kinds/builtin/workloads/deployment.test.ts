import { describe, expect, it } from 'vitest';
import { Trial } from '../trial.ts';
import { deployments } from './deployment.ts';

const trial = new Trial(deployments);
const template = (labels = { app: 'a' }, spec = {}) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const selector = { matchLabels: { app: 'a' } };
const spec = { selector, template: template() };
const faults = (rest: object) => trial.faults({ spec: { ...spec, ...rest } });

describe('deployments', () => {
  it('have defaults', () => {
    expect(trial.create({ spec })['spec']).toMatchObject({
      replicas: 1,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      template: { spec: { restartPolicy: 'Always', dnsPolicy: 'ClusterFirst' } },
    });
  });

  it('keep the half of a rolling update that a client has set', () => {
    const strategy = { rollingUpdate: { maxSurge: 2 } };
    expect(trial.create({ spec: { ...spec, strategy } })['spec']).toMatchObject({
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: 2 } },
    });
  });

  it.each<[object, string[]]>([
    [{}, []],
    [{ replicas: -1 }, ['spec.replicas: Invalid value: -1: must be greater than or equal to 0']],
    [{ selector: null }, ['spec.selector: Required value', expect.stringContaining('does not match')]],
    [{ selector: {} }, ['spec.selector: Invalid value: {}: empty selector is invalid for deployment']],
    [
      { selector: { matchExpressions: [{ key: 'app', operator: 'Is' }] } },
      [
        'spec.selector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
        expect.stringMatching(/^spec\.selector: Invalid value: .*: invalid label selector$/),
      ],
    ],
    [
      { template: template({ app: 'b' }) },
      [
        'spec.template.metadata.labels: Invalid value: {"app":"b"}: `selector` does not match template `labels`',
      ],
    ],
    [
      { template: template(undefined, { restartPolicy: 'Never', activeDeadlineSeconds: 5 }) },
      [
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
        'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported',
      ],
    ],
    [
      { strategy: { type: 'Blue' } },
      [
        'spec.strategy: Unsupported value: {"Type":"Blue","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
      ],
    ],
    [
      { strategy: { type: 'Recreate', rollingUpdate: {} } },
      ["spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"],
    ],
    [
      { strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: '0%' } } },
      ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0'],
    ],
    [
      { strategy: { rollingUpdate: { maxUnavailable: '110%' } } },
      ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "110%": must not be greater than 100%'],
    ],
    [
      { strategy: { rollingUpdate: { maxSurge: 'half' } } },
      [expect.stringContaining('a valid percent string must be a numeric string')],
    ],
    [
      { minReadySeconds: 60, progressDeadlineSeconds: 60 },
      ['spec.progressDeadlineSeconds: Invalid value: 60: must be greater than minReadySeconds'],
    ],
  ])('are validated with %j', (rest, expected) => {
    expect(faults(rest)).toEqual(expected);
  });

  it('do not change their selector', () => {
    const next = { selector: { matchLabels: { app: 'b' } }, template: template({ app: 'b' }) };
    expect(trial.update({ spec: next }, { spec }).faults).toEqual([
      'spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: field is immutable',
    ]);
  });

  it.each<[string, object, number]>([
    ['the spec', { spec: { ...spec, replicas: 2 } }, 2],
    ['annotations', { metadata: { annotations: { a: 'b' } }, spec }, 2],
    ['labels', { metadata: { labels: { a: 'b' } }, spec }, 1],
    ['the status', { spec, status: { replicas: 3 } }, 1],
  ])('have the right generation after a change of %s', (_what, next, generation) => {
    expect(trial.update(next, { spec }).object.metadata.generation).toBe(generation);
  });

  it('keep their spec and labels when the status is written', () => {
    const body = {
      metadata: { labels: { z: 'z' } },
      spec: { ...spec, replicas: 9 },
      status: { replicas: 3 },
    };
    const { object, faults: found } = trial.update(body, { spec }, 'status');
    expect(found).toEqual([]);
    expect(object).toMatchObject({ spec: { replicas: 1 }, status: { replicas: 3 } });
    expect(object.metadata.labels).toBeUndefined();
  });

  it.each<[object, string[]]>([
    [
      { observedGeneration: -1 },
      ['status.observedGeneration: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      { replicas: 1, readyReplicas: 1, availableReplicas: 2 },
      [
        'status.availableReplicas: Invalid value: 2: cannot be greater than status.replicas',
        'status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas',
      ],
    ],
  ])('refuse the status %j', (status, expected) => {
    expect(trial.update({ spec, status }, { spec }, 'status').faults).toEqual(expected);
  });

  it('warn of a name that is not a label', () => {
    const named = trial.create({ metadata: { name: 'a.b' }, spec });
    expect(deployments.strategy.warnings!(named, undefined, { subresource: '' } as never)).toEqual([
      expect.stringContaining('a DNS label is recommended'),
    ]);
  });

  it('show how many of their pods are ready', () => {
    expect(trial.columnNames).toEqual([
      'Name',
      'Ready',
      'Up-to-date',
      'Available',
      'Age',
      'Containers*',
      'Images*',
      'Selector*',
    ]);
    expect(trial.cells({ spec: { ...spec, replicas: 3 } })).toEqual([
      'a',
      '0/3',
      0,
      0,
      '<unknown>',
      'c',
      'i',
      'app=a',
    ]);
  });
});
