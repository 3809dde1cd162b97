import { describe, expect, it } from 'vitest';
import { csiDrivers } from './csi-driver.ts';
import { csiNodes } from './csi-node.ts';
import { persistentVolumes } from './persistent-volume.ts';
import { persistentVolumeClaims } from './persistent-volume-claim.ts';
import { storageClasses } from './storage-class.ts';
import { Trial } from './trial.ts';
import { volumeAttachments } from './volume-attachment.ts';
import { volumeAttributesClasses } from './volume-attributes-class.ts';

const claims = new Trial(persistentVolumeClaims);
const claim = (rest: object = {}) => ({
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...rest },
});

describe('persistent volume claims', () => {
  it('are pending claims for a file system', () => {
    expect(claims.create(claim())).toMatchObject({
      spec: { volumeMode: 'Filesystem' },
      status: { phase: 'Pending' },
    });
  });

  it('have the source of their data in both fields', () => {
    const source = { kind: 'PersistentVolumeClaim', name: 's' };
    expect(claims.create(claim({ dataSource: source }))['spec']).toMatchObject({ dataSourceRef: source });
    expect(claims.create(claim({ dataSourceRef: source }))['spec']).toMatchObject({ dataSource: source });
  });

  it('lose a source that only the newer field can hold', () => {
    expect(claims.create(claim({ dataSource: { kind: 'Secret', name: 's' } }))['spec']).not.toHaveProperty(
      'dataSource',
    );
  });

  it.each([
    ['no access mode', { accessModes: undefined }, 'spec.accessModes: Required value'],
    ['an unknown access mode', { accessModes: ['X'] }, 'spec.accessModes: Unsupported value: "X"'],
    [
      'ReadWriteOncePod with another mode',
      { accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] },
      'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
    ],
    ['no storage', { resources: {} }, 'spec.resources[storage]: Required value'],
    [
      'storage of 0',
      { resources: { requests: { storage: '0' } } },
      'spec.resources[storage]: Invalid value: "0": must be greater than zero',
    ],
    ['an unknown volume mode', { volumeMode: 'Tape' }, 'spec.volumeMode: Unsupported value: "Tape"'],
    [
      'sources that differ',
      {
        dataSource: { kind: 'PersistentVolumeClaim', name: 'a' },
        dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'b' },
      },
      'must match dataSourceRef',
    ],
  ])('are refused with %s', (_what, rest, text) => {
    expect(claims.faults(claim(rest)).join()).toContain(text);
  });

  it('do not change, except that a volume is named', () => {
    expect(claims.update(claim({ volumeName: 'v' }), claim()).faults).toEqual([]);
    expect(claims.update(claim({ accessModes: ['ReadOnlyMany'] }), claim()).faults.join()).toContain(
      'spec: Forbidden: spec is immutable after creation',
    );
  });
});

describe('persistent volumes', () => {
  const volumes = new Trial(persistentVolumes);
  const volume = (rest: object = {}) => ({
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path: '/data' },
      ...rest,
    },
  });

  it('are retained, pending file systems', () => {
    expect(volumes.create(volume())).toMatchObject({
      spec: { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem', hostPath: { type: '' } },
      status: { phase: 'Pending' },
    });
  });

  it.each([
    ['no source', { hostPath: undefined }, 'spec: Required value: must specify a volume type'],
    ['two sources', { nfs: { server: 's', path: '/' } }, 'spec.nfs: Forbidden: may not specify more than 1'],
    ['a path with steps back', { hostPath: { path: '/a/../b' } }, "must not contain '..'"],
    ['no capacity', { capacity: undefined }, 'spec.capacity: Required value'],
    [
      'a local volume on no node',
      { hostPath: undefined, local: { path: '/a' } },
      'spec.nodeAffinity: Required value: Local volume requires node affinity',
    ],
    [
      'a CSI volume without a handle',
      { hostPath: undefined, csi: { driver: 'd.example.com' } },
      'spec.csi.volumeHandle: Required value',
    ],
  ])('are refused with %s', (_what, rest, text) => {
    expect(volumes.faults(volume(rest)).join()).toContain(text);
  });

  it('keep their source', () => {
    expect(volumes.update(volume({ hostPath: { path: '/other' } }), volume()).faults.join()).toContain(
      'spec.persistentvolumesource: Forbidden',
    );
  });
});

describe('classes and drivers of storage', () => {
  it('have defaults', () => {
    expect(new Trial(storageClasses).create({ provisioner: 'a.example.com' })).toMatchObject({
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'Immediate',
    });
    expect(new Trial(csiDrivers).create({ spec: {} })['spec']).toMatchObject({
      attachRequired: true,
      volumeLifecycleModes: ['Persistent'],
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
    });
  });

  it('do not change', () => {
    expect(
      new Trial(storageClasses)
        .update({ provisioner: 'b.example.com' }, { provisioner: 'a.example.com' })
        .faults.join(),
    ).toContain('provisioner: Invalid value: "b.example.com": field is immutable');
    expect(
      new Trial(volumeAttributesClasses)
        .update({ driverName: 'b', parameters: { a: 'b' } }, { driverName: 'a', parameters: { a: 'b' } })
        .faults.join(),
    ).toContain('driverName: Forbidden: updates to driverName are forbidden.');
  });

  it('are refused without what they need', () => {
    expect(new Trial(storageClasses).faults({}).join()).toContain('provisioner: Required value');
    expect(new Trial(volumeAttributesClasses).faults({ driverName: 'a' }).join()).toContain(
      'parameters: Required value: must contain at least one key/value pair',
    );
    expect(
      new Trial(volumeAttachments).faults({ spec: { attacher: 'a', nodeName: 'n', source: {} } }).join(),
    ).toContain('spec.source: Required value: must specify exactly one of');
    expect(new Trial(csiNodes).faults({ spec: { drivers: [{ name: 'd', nodeID: '' }] } }).join()).toContain(
      'spec.drivers[0].nodeID: Required value',
    );
  });
});
