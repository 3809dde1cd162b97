import { describe, expect, it } from 'vitest';
import { Trial } from '../trial.ts';
import { daemonSets } from './daemon-set.ts';
import { replicationControllers } from './replication-controller.ts';
import { statefulSets } from './stateful-set.ts';

const template = (labels = { app: 'a' }) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image: 'i' }] },
});
const selector = { matchLabels: { app: 'a' } };
const spec = { selector, template: template() };

describe('stateful sets', () => {
  const trial = new Trial(statefulSets);
  const claim = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } };

  it('have defaults', () => {
    expect(trial.create({ spec })['spec']).toMatchObject({
      replicas: 1,
      podManagementPolicy: 'OrderedReady',
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      revisionHistoryLimit: 10,
    });
  });

  it('say of their claims what they are', () => {
    const set = trial.create({ spec: { ...spec, volumeClaimTemplates: [claim] } });
    expect((set['spec'] as { volumeClaimTemplates: object[] }).volumeClaimTemplates[0]).toMatchObject({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      spec: { volumeMode: 'Filesystem' },
      status: { phase: 'Pending' },
    });
  });

  it('drop maxUnavailable, which is a feature that is off', () => {
    const updateStrategy = { rollingUpdate: { maxUnavailable: 2 } };
    expect(trial.create({ spec: { ...spec, updateStrategy } })['spec']).toMatchObject({
      updateStrategy: { rollingUpdate: { partition: 0 } },
    });
  });

  it.each<[object, string[]]>([
    [
      { podManagementPolicy: 'Chaos' },
      ["spec.podManagementPolicy: Invalid value: \"Chaos\": must be 'OrderedReady' or 'Parallel'"],
    ],
    [
      { updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
      [
        'spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy \'RollingUpdate\'',
      ],
    ],
    [
      { updateStrategy: { type: 'Recreate' } },
      [
        'spec.updateStrategy: Invalid value: {"Type":"Recreate","RollingUpdate":null}: must be \'RollingUpdate\' or \'OnDelete\'',
      ],
    ],
    [
      { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Archive' } },
      [
        'spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "Archive": supported values: "Retain", "Delete"',
      ],
    ],
    [
      { ordinals: { start: -1 } },
      ['spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [{ serviceName: 'Not_good' }, [expect.stringMatching(/^spec\.serviceName: Invalid value: "Not_good"/)]],
  ])('are validated with %j', (rest, expected) => {
    expect(trial.faults({ spec: { ...spec, ...rest } })).toEqual(expected);
  });

  it('must have a name that is a label', () => {
    expect(trial.faults({ metadata: { name: 'a.b' }, spec })).toEqual([
      'metadata.name: Invalid value: "a.b": must not contain dots',
    ]);
  });

  it.each<[object, boolean]>([
    [{ replicas: 3, minReadySeconds: 1, updateStrategy: { type: 'OnDelete' } }, true],
    [{ serviceName: 'other' }, false],
    [{ podManagementPolicy: 'Parallel' }, false],
  ])('may or must not change %j', (rest, isAllowed) => {
    const { faults } = trial.update({ spec: { ...spec, ...rest } }, { spec });
    expect(faults.length).toBe(isAllowed ? 0 : 1);
    if (!isAllowed) expect(faults[0]).toMatch(/^spec: Forbidden: updates to statefulset spec/);
  });
});

describe('daemon sets', () => {
  const trial = new Trial(daemonSets);
  const generation = 'deprecated.daemonset.template.generation';

  it('have the generation of their template', () => {
    expect(trial.create({ spec }).metadata.annotations).toEqual({ [generation]: '1' });
  });

  it('raise it when the template changes', () => {
    const next = { ...spec, template: template({ app: 'a', ...{ v: '2' } } as never) };
    const { object } = trial.update({ spec: next }, { spec });
    expect(object.metadata.annotations).toEqual({ [generation]: '2' });
  });

  it('keep it when anything else changes', () => {
    const { object } = trial.update({ spec: { ...spec, minReadySeconds: 3 } }, { spec });
    expect(object.metadata).toMatchObject({ generation: 2, annotations: { [generation]: '1' } });
  });

  it.each<[object, string[]]>([
    [{ maxSurge: 1, maxUnavailable: 0 }, []],
    [
      { maxSurge: 1 },
      [
        'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero',
      ],
    ],
    [
      { maxUnavailable: 0 },
      ['spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0'],
    ],
  ])('are validated with the rolling update %j', (rollingUpdate, expected) => {
    expect(trial.faults({ spec: { ...spec, updateStrategy: { rollingUpdate } } })).toEqual(expected);
  });
});

describe('replication controllers', () => {
  const trial = new Trial(replicationControllers);

  it('select what their template is labeled with', () => {
    expect(trial.create({ spec: { template: template() } })).toMatchObject({
      metadata: { labels: { app: 'a' } },
      spec: { replicas: 1, selector: { app: 'a' } },
    });
  });

  it.each<[object, string[]]>([
    [{}, ['spec.selector: Required value', 'spec.template: Required value']],
    [
      { selector: { app: 'b' }, template: template() },
      [
        'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
      ],
    ],
  ])('are validated with %j', (rest, expected) => {
    expect(trial.faults({ spec: rest })).toEqual(expected);
  });

  it('may change their selector', () => {
    const next = { selector: { app: 'z' }, template: template({ app: 'z' }) };
    expect(trial.update({ spec: next }, { spec: { template: template() } }).faults).toEqual([]);
  });
});
