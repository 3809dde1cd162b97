// Claims, volumes and what belongs to storage.k8s.io.
import { MERGE, owned, STRATEGIC, scene, settle, spec, status, TABLE, table } from './helpers/kinds.mjs';

const claimSpec = (rest = {}) => ({
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1Gi' } },
  ...rest,
});
const volumeSpec = (rest = {}) => ({
  capacity: { storage: '1Gi' },
  accessModes: ['ReadWriteOnce'],
  hostPath: { path: '/data' },
  ...rest,
});

export async function persistentVolumeClaims(t) {
  const c = await scene(t, 'v1', 'PersistentVolumeClaim', 'persistentvolumeclaims', 'conf-kinds-pvc');
  const pvc = (rest) => c.make('f', { spec: claimSpec(rest) });
  await c.create('a minimal claim', c.make('a', { spec: claimSpec() }), (b) => b);
  await c.create(
    'a full one',
    c.make('full', {
      spec: claimSpec({
        accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
        storageClassName: 'fast',
        volumeMode: 'Block',
        selector: { matchLabels: { a: 'b' } },
        volumeName: 'v',
        resources: { requests: { storage: '10Gi' }, limits: { storage: '20Gi' } },
      }),
    }),
  );
  await c.tries([
    ['no spec', c.make('f')],
    ['no access modes', pvc({ accessModes: undefined })],
    ['an unknown access mode', pvc({ accessModes: ['WriteOnly'] })],
    ['ReadWriteOncePod with another', pvc({ accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] })],
    ['no resources', pvc({ resources: undefined })],
    ['no storage', pvc({ resources: { requests: { cpu: '1' } } })],
    ['storage of 0', pvc({ resources: { requests: { storage: '0' } } })],
    ['negative storage', pvc({ resources: { requests: { storage: '-1' } } })],
    ['storage that cannot be read', pvc({ resources: { requests: { storage: '1 GB' } } })],
    ['fractions of bytes', pvc({ resources: { requests: { storage: '0.5' } } })],
    ['an unknown volume mode', pvc({ volumeMode: 'Tape' })],
    ['an empty class', pvc({ storageClassName: '' })],
    ['a bad class', pvc({ storageClassName: 'Not_one' })],
    ['a bad selector', pvc({ selector: { matchExpressions: [{ key: 'a', operator: 'In' }] } })],
    [
      'a snapshot as its source',
      pvc({ dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' } }),
    ],
    ['a claim as its source', pvc({ dataSource: { kind: 'PersistentVolumeClaim', name: 's' } })],
    ['another kind as its source', pvc({ dataSource: { kind: 'Secret', name: 's' } })],
    ['a source without a name', pvc({ dataSource: { kind: 'PersistentVolumeClaim' } })],
    [
      'both sources that differ',
      pvc({
        dataSource: { kind: 'PersistentVolumeClaim', name: 'x' },
        dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'y' },
      }),
    ],
    ['an attributes class', pvc({ volumeAttributesClassName: 'gold' })],
    ['an unknown field', pvc({ storage: '1Gi' })],
  ]);
  await c.changes(
    'a',
    [
      ['the spec is immutable', { spec: { accessModes: ['ReadOnlyMany'] } }],
      ['so is the volume mode', { spec: { volumeMode: 'Block' } }],
      ['more storage while unbound', { spec: { resources: { requests: { storage: '2Gi' } } } }],
      ['less storage', { spec: { resources: { requests: { storage: '500Mi' } } } }],
      ['the volume name may be set', { spec: { volumeName: 'pv' } }],
      ['a class may be set once', { spec: { storageClassName: 'slow' } }],
      ['a strategic patch of access modes', { spec: { accessModes: ['ReadWriteMany'] } }, STRATEGIC],
      ['labels may change', { metadata: { labels: { a: 'b' } } }],
    ],
    { pick: (b) => [b.metadata.labels, b.spec] },
  );
  await c.patch(
    'status',
    'a',
    {
      status: { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } },
      spec: { volumeName: 'x' },
    },
    { sub: 'status', type: MERGE, pick: (b) => [b.status, b.spec.volumeName ?? 'no volume'] },
  );
  await c.patch(
    'a condition',
    'a',
    {
      status: {
        conditions: [{ type: 'Resizing', status: 'True', lastTransitionTime: '2026-01-02T03:04:05Z' }],
      },
    },
    { sub: 'status', pick: (b) => b.status.conditions },
  );
  await c.patch('a volume name', 'a', { spec: { volumeName: 'pv' } }, { type: MERGE, pick: spec });
  await c.patch('another volume name', 'a', { spec: { volumeName: 'pv2' } }, { type: MERGE });
  await c.patch(
    'a bound claim without a class that expands may not grow',
    'a',
    { spec: { resources: { requests: { storage: '2Gi' } } } },
    { type: MERGE },
  );
  await c.table('as a table');
  await c.list('by phase is not offered', '?fieldSelector=status.phase%3DBound');
  await c.remove('delete waits for the protection finalizer', 'a', '', (b) => [
    b.kind,
    b.metadata.finalizers,
    Boolean(b.metadata.deletionTimestamp),
    b.status,
  ]);
  await c.patch(
    'without it the claim goes',
    'a',
    { metadata: { finalizers: null } },
    { type: MERGE, pick: (b) => b.metadata.name },
  );
  await c.get('gone', 'a');
  await c.apply('apply', 'x', 'alpha', c.make('x', { spec: claimSpec() }), { pick: owned });
  await c.apply(
    'again with other access modes',
    'x',
    'alpha',
    c.make('x', { spec: claimSpec({ accessModes: ['ReadWriteMany'] }) }),
  );
  await c.create(
    "a finalizer of one's own",
    c.make('fin', { spec: claimSpec() }, { finalizers: ['example.com/x'] }),
    (b) => b.metadata.finalizers,
  );
}

export async function persistentVolumes(t) {
  const v = await scene(t, 'v1', 'PersistentVolume', 'persistentvolumes', undefined, 'conf-kinds-');
  const pv = (rest) => v.make('conf-kinds-f', { spec: volumeSpec(rest) });
  const csi = { driver: 'csi.example.com', volumeHandle: 'h' };
  await v.create('a minimal volume', v.make('conf-kinds-a', { spec: volumeSpec() }), (b) => b);
  await v.create(
    'a full one',
    v.make('conf-kinds-b', {
      spec: {
        capacity: { storage: '5Gi' },
        accessModes: ['ReadWriteMany'],
        persistentVolumeReclaimPolicy: 'Delete',
        storageClassName: 'fast',
        volumeMode: 'Block',
        mountOptions: [],
        csi: { ...csi, fsType: 'ext4', volumeAttributes: { a: 'b' } },
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['z'] }] }],
          },
        },
        claimRef: { namespace: 'default', name: 'c' },
      },
    }),
  );
  await v.tries([
    ['no source', pv({ hostPath: undefined })],
    ['two sources', pv({ csi })],
    ['no capacity', pv({ capacity: undefined })],
    ['no storage in the capacity', pv({ capacity: { cpu: '1' } })],
    ['a capacity of 0', pv({ capacity: { storage: '0' } })],
    ['no access modes', pv({ accessModes: [] })],
    ['an unknown access mode', pv({ accessModes: ['Both'] })],
    ['an unknown reclaim policy', pv({ persistentVolumeReclaimPolicy: 'Burn' })],
    ['an unknown volume mode', pv({ volumeMode: 'Tape' })],
    ['hostPath that goes up', pv({ hostPath: { path: '/a/../b' } })],
    ['the root with Recycle', pv({ hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Recycle' })],
    ['local without an affinity', pv({ hostPath: undefined, local: { path: '/d' } })],
    ['csi without a handle', pv({ hostPath: undefined, csi: { driver: 'csi.example.com' } })],
    ['a bad driver name', pv({ hostPath: undefined, csi: { driver: 'Not one', volumeHandle: 'h' } })],
    ['a bad class', pv({ storageClassName: 'Not_one' })],
    ['a namespace in the metadata', { ...pv({}), metadata: { name: 'conf-kinds-f', namespace: 'default' } }],
    ['nfs', pv({ hostPath: undefined, nfs: { server: 'nfs.example.com', path: '/x' } })],
  ]);
  await v.changes('conf-kinds-a', [
    ['the source is immutable', { spec: { hostPath: { path: '/other' } } }],
    ['the reclaim policy may change', { spec: { persistentVolumeReclaimPolicy: 'Recycle' } }],
    ['the capacity may change', { spec: { capacity: { storage: '2Gi' } } }],
    ['the volume mode may not', { spec: { volumeMode: 'Block' } }],
    ['the claim may be set', { spec: { claimRef: { namespace: 'default', name: 'x' } } }],
    [
      'an affinity may be set',
      {
        spec: {
          nodeAffinity: {
            required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }] },
          },
        },
      },
    ],
  ]);
  await v.patch(
    'status',
    'conf-kinds-a',
    { status: { phase: 'Released', message: 'm', reason: 'R' }, spec: { capacity: { storage: '9Gi' } } },
    { sub: 'status', type: MERGE, pick: (b) => [b.status, b.spec.capacity] },
  );
  await t.step('as a table', 'GET', v.at('conf-kinds-b'), { headers: TABLE, pick: table });
  await v.remove('delete waits for the protection finalizer', 'conf-kinds-a', '', (b) => [
    b.kind,
    b.metadata.finalizers,
    b.status,
  ]);
  await v.patch(
    'without it the volume goes',
    'conf-kinds-a',
    { metadata: { finalizers: [] } },
    { type: MERGE, pick: (b) => b.metadata.name },
  );
  await v.get('gone', 'conf-kinds-a');
}

export async function storageClasses(t) {
  const c = await scene(t, 'storage.k8s.io/v1', 'StorageClass', 'storageclasses', undefined, 'conf-kinds-');
  const pvcs = await scene(t, 'v1', 'PersistentVolumeClaim', 'persistentvolumeclaims', 'conf-kinds-sc');
  const sc = (rest) => c.make('conf-kinds-f', { provisioner: 'example.com/p', ...rest });
  const rest = ({ apiVersion, kind, metadata, ...r }) => r;
  await c.create('a minimal class', c.make('conf-kinds-a', { provisioner: 'example.com/p' }), (b) => b);
  await c.create(
    'a full one',
    c.make('conf-kinds-b', {
      provisioner: 'example.com/p',
      parameters: { type: 'ssd' },
      reclaimPolicy: 'Retain',
      mountOptions: ['debug'],
      allowVolumeExpansion: true,
      volumeBindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['z'] }] }],
    }),
  );
  await c.tries(
    [
      ['no provisioner', sc({ provisioner: undefined })],
      ['a bad provisioner', sc({ provisioner: 'Not one' })],
      ['an unknown reclaim policy', sc({ reclaimPolicy: 'Recycle' })],
      ['an unknown binding mode', sc({ volumeBindingMode: 'Never' })],
      ['an empty parameter name', sc({ parameters: { '': 'x' } })],
      [
        'a topology without values',
        sc({ allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: [] }] }] }),
      ],
      [
        'a topology value twice',
        sc({ allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'a'] }] }] }),
      ],
      ['a spec', sc({ spec: {} })],
    ],
    rest,
  );
  await c.changes(
    'conf-kinds-a',
    [
      ['the provisioner is immutable', { provisioner: 'example.com/q' }],
      ['so are parameters', { parameters: { a: 'b' } }],
      ['and the reclaim policy', { reclaimPolicy: 'Retain' }],
      ['and the binding mode', { volumeBindingMode: 'WaitForFirstConsumer' }],
      ['expansion is not', { allowVolumeExpansion: true }],
      ['nor are mount options', { mountOptions: ['x'] }],
    ],
    { pick: rest },
  );
  await c.patch(
    'made the default',
    'conf-kinds-a',
    { metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } } },
    { type: MERGE, pick: (b) => b.metadata.annotations },
  );
  await t.step('as a table', 'GET', c.at('conf-kinds-a'), { headers: TABLE, pick: table });
  const probe = pvcs.make('probe', { spec: claimSpec() });
  await settle(
    t,
    'the default class to be seen',
    async () =>
      (await t.client.request('POST', `${pvcs.all}?dryRun=All`, { body: probe })).body.spec.storageClassName,
  );
  await pvcs.create('a claim without a class gets the default', pvcs.make('d', { spec: claimSpec() }), spec);
  await pvcs.create(
    'an empty class stays empty',
    pvcs.make('e', { spec: claimSpec({ storageClassName: '' }) }),
    spec,
  );
  await pvcs.made(
    pvcs.make('grow', { spec: claimSpec({ storageClassName: 'conf-kinds-b', volumeName: 'v' }) }),
  );
  await t.setup('PATCH', pvcs.at('grow', 'status'), {
    body: { status: { phase: 'Bound', capacity: { storage: '1Gi' } } },
    type: MERGE,
  });
  await pvcs.patch(
    'a bound claim of a class that expands may grow',
    'grow',
    { spec: { resources: { requests: { storage: '2Gi' } } } },
    { type: MERGE, pick: spec },
  );
  await pvcs.patch(
    'but not shrink',
    'grow',
    { spec: { resources: { requests: { storage: '512Mi' } } } },
    { type: MERGE },
  );
  await c.remove('delete', 'conf-kinds-a');
  await settle(
    t,
    'the default class to be forgotten',
    async () =>
      !(await t.client.request('POST', `${pvcs.all}?dryRun=All`, { body: probe })).body.spec.storageClassName,
  );
}

export async function csiDriversAndNodes(t) {
  const d = await scene(t, 'storage.k8s.io/v1', 'CSIDriver', 'csidrivers', undefined, 'conf-kinds-');
  await d.create('a minimal driver', d.make('conf-kinds-a', { spec: {} }), (b) => b);
  await d.create(
    'a full one',
    d.make('conf-kinds-b', {
      spec: {
        attachRequired: false,
        podInfoOnMount: true,
        volumeLifecycleModes: ['Ephemeral', 'Persistent'],
        storageCapacity: true,
        fsGroupPolicy: 'File',
        tokenRequests: [{ audience: 'a', expirationSeconds: 600 }],
        requiresRepublish: true,
        seLinuxMount: true,
      },
    }),
  );
  await d.tries([
    ['an unknown lifecycle', d.make('conf-kinds-f', { spec: { volumeLifecycleModes: ['Eternal'] } })],
    ['an unknown group policy', d.make('conf-kinds-f', { spec: { fsGroupPolicy: 'Mine' } })],
    [
      'an audience twice',
      d.make('conf-kinds-f', { spec: { tokenRequests: [{ audience: 'a' }, { audience: 'a' }] } }),
    ],
    [
      'a token that lives too short',
      d.make('conf-kinds-f', { spec: { tokenRequests: [{ audience: 'a', expirationSeconds: 1 }] } }),
    ],
    ['a bad name', d.make('Not_one', { spec: {} })],
  ]);
  await d.changes('conf-kinds-a', [
    ['attachRequired is immutable', { spec: { attachRequired: false } }],
    ['lifecycles are immutable', { spec: { volumeLifecycleModes: ['Ephemeral'] } }],
    ['podInfoOnMount may change', { spec: { podInfoOnMount: true } }],
    ['storageCapacity may change', { spec: { storageCapacity: true } }],
  ]);
  await t.step('drivers as a table', 'GET', d.at('conf-kinds-b'), { headers: TABLE, pick: table });
  const n = await scene(t, 'storage.k8s.io/v1', 'CSINode', 'csinodes', undefined, 'conf-kinds-');
  const driver = (rest = {}) => ({ name: 'csi.example.com', nodeID: 'n1', topologyKeys: ['zone'], ...rest });
  await n.create('a node without drivers', n.make('conf-kinds-n', { spec: { drivers: [] } }), (b) => b);
  await n.create(
    'a driver',
    n.make('conf-kinds-m', { spec: { drivers: [driver({ allocatable: { count: 5 } })] } }),
  );
  await n.tries([
    ['no drivers', n.make('conf-kinds-f', { spec: {} })],
    ['a driver twice', n.make('conf-kinds-f', { spec: { drivers: [driver(), driver()] } })],
    ['no node id', n.make('conf-kinds-f', { spec: { drivers: [driver({ nodeID: '' })] } })],
    [
      'a topology key twice',
      n.make('conf-kinds-f', { spec: { drivers: [driver({ topologyKeys: ['a', 'a'] })] } }),
    ],
    [
      'a negative count',
      n.make('conf-kinds-f', { spec: { drivers: [driver({ allocatable: { count: -1 } })] } }),
    ],
  ]);
  await n.patch(
    'strategic: a driver by name',
    'conf-kinds-m',
    { spec: { drivers: [driver({ name: 'other.example.com' })] } },
    { pick: spec },
  );
  await n.patch('a driver may not change', 'conf-kinds-m', { spec: { drivers: [driver({ nodeID: 'n2' })] } });
  await n.patch(
    'but go',
    'conf-kinds-m',
    { spec: { drivers: [{ name: 'other.example.com', $patch: 'delete' }] } },
    { pick: spec },
  );
  await t.step('nodes as a table', 'GET', n.at('conf-kinds-m'), { headers: TABLE, pick: table });
}

export async function volumeAttachments(t) {
  const a = await scene(
    t,
    'storage.k8s.io/v1',
    'VolumeAttachment',
    'volumeattachments',
    undefined,
    'conf-kinds-',
  );
  const va = (rest) =>
    a.make('conf-kinds-f', {
      spec: { attacher: 'csi.example.com', nodeName: 'n', source: { persistentVolumeName: 'v' }, ...rest },
    });
  await a.create('an attachment', { ...va({}), metadata: { name: 'conf-kinds-a' } }, (b) => b);
  await a.tries(
    [
      ['no attacher', va({ attacher: undefined })],
      ['no node', va({ nodeName: undefined })],
      ['no source', va({ source: {} })],
      [
        'two sources',
        va({
          source: {
            persistentVolumeName: 'v',
            inlineVolumeSpec: {
              capacity: { storage: '1Gi' },
              accessModes: ['ReadWriteOnce'],
              hostPath: { path: '/' },
            },
          },
        }),
      ],
      ['a bad attacher', va({ attacher: 'Not one' })],
      ['status on create', { ...va({}), status: { attached: true } }],
    ],
    (b) => [b.spec, b.status],
  );
  await a.patch('the spec is immutable', 'conf-kinds-a', { spec: { nodeName: 'm' } }, { type: MERGE });
  await a.patch(
    'status',
    'conf-kinds-a',
    { status: { attached: true, attachmentMetadata: { a: 'b' } } },
    { sub: 'status', type: MERGE, pick: (b) => [b.status, b.metadata.generation] },
  );
  await a.patch(
    'an error',
    'conf-kinds-a',
    { status: { attached: false, attachError: { message: 'm', time: '2026-01-02T03:04:05Z' } } },
    { sub: 'status', type: MERGE, pick: status },
  );
  await a.patch(
    'a status through the object is ignored',
    'conf-kinds-a',
    { status: { attached: true } },
    { type: MERGE, pick: status },
  );
  await t.step('as a table', 'GET', a.at('conf-kinds-a'), { headers: TABLE, pick: table });
  await a.remove('delete', 'conf-kinds-a');
}
