// KEP-1900 from the view of a cluster administrator, with kubectl and from an empty data directory: install,
// refuse invalid objects, keep an old invalid one deletable, label it, fix it, move through the phases, roll
// back once.
import { fileURLToPath } from 'node:url';
import { type KubeClient, openKubeClient } from '@instar/client';
import { phaseReport, readClusterFacts } from '@instar/snapshot';
import { describeUnless, eventually, freePort } from '@instar/testing';
import {
  findKubectls,
  Kubectl,
  type KubectlResult,
  missingKubectl,
  Run,
  ServerProcess,
} from '@instar/testing/command';
import { afterAll, beforeAll, expect, it } from 'vitest';

const EXAMPLE = fileURLToPath(new URL('../../examples/volume-snapshots/', import.meta.url));
const CONFIGURATION = 'validation-webhook.snapshot.storage.k8s.io';
const DENIED = `admission webhook "${CONFIGURATION}" denied the request`;
const SNAPSHOT_LABEL = 'snapshot.storage.kubernetes.io/invalid-snapshot-resource';
const CONTENT_LABEL = 'snapshot.storage.kubernetes.io/invalid-snapshot-content-resource';
/** What runs in pods is run as processes here: nothing schedules pods. */
const NOT_SERVED = ['Deployment', 'PodDisruptionBudget'];

const kubectls = findKubectls();
const runs: Run[] = [];
let server: ServerProcess;
let kubectl: Kubectl;
/** For waiting: kubectl takes half a second each time. */
let client: KubeClient;
let webhookPort: number;
let webhook: Run;

beforeAll(async () => {
  if (kubectls.length === 0) return;
  webhookPort = await freePort();
  const flags = [
    '--service-resolver',
    `snapshot-system/snapshot-validation-service=127.0.0.1:${webhookPort}`,
  ];
  server = await ServerProcess.start({ storage: 'lmdb', flags });
  kubectl = new Kubectl(kubectls.at(-1)!, server.kubeconfig);
  client = await openKubeClient({ kubeconfig: server.kubeconfig });
}, 60_000);

afterAll(async () => {
  await Promise.all(runs.map((run) => run.end()));
  kubectl?.remove();
  await client?.close();
  await server?.remove();
}, 60_000);

async function startInstar(...args: string[]): Promise<Run> {
  const run = new Run(...args, '--kubeconfig', server.kubeconfig);
  runs.push(run);
  await eventually(
    `instar ${args[0]} to be ready`,
    () => run.stdout.startsWith('ready ') || run.child.exitCode !== null,
  );
  expect(run.stdout, run.stderr).toMatch(/^ready /);
  return run;
}

function startWebhook(): Promise<Run> {
  return startInstar(
    'snapshot-webhook',
    ...['--bind-address', '127.0.0.1', '--port', String(webhookPort)],
    ...['--service', 'snapshot-system/snapshot-validation-service'],
    ...['--secret', 'snapshot-system/snapshot-validation-secret', '--configuration', CONFIGURATION],
  );
}

const startLabeller = (identity: string): Promise<Run> =>
  startInstar(
    'snapshot-labeller',
    '--namespace',
    'snapshot-system',
    '--identity',
    identity,
    '--health-port',
    '0',
    '--lease-duration',
    '3s',
  );

function yaml(
  kind: 'VolumeSnapshot' | 'VolumeSnapshotContent',
  name: string,
  spec: object,
  version = 'v1beta1',
  metadata: object = {},
): string {
  const defaults =
    kind === 'VolumeSnapshotContent' ? { driver: 'csi.example.com', deletionPolicy: 'Delete' } : {};
  return JSON.stringify({
    apiVersion: `snapshot.storage.k8s.io/${version}`,
    kind,
    metadata: { name, ...metadata },
    spec: { ...defaults, ...spec },
  });
}

const create = (object: string): Promise<KubectlResult> =>
  kubectl.run(['create', '-f', '-'], { stdin: object });
const patch = (what: string, name: string, body: object): Promise<KubectlResult> =>
  kubectl.run(['patch', what, name, '--type', 'merge', '-p', JSON.stringify(body)]);
const GROUP = 'snapshot.storage.k8s.io';
const namesOf = async (resource: string, labelSelector = ''): Promise<string> =>
  (await client.list({ group: GROUP, version: 'v1beta1', resource }, { labelSelector })).items
    .map(({ metadata }) => metadata.name)
    .join();
const isServed = async (version: string): Promise<boolean> =>
  (await client.discover({ refresh: true })).some(
    ({ group, versions }) => group === GROUP && versions.includes(version),
  );
const enter = (phase: 1 | 2 | 3): Promise<KubectlResult> =>
  kubectl.run(['apply', '-k', `${EXAMPLE}crds/phase-${phase}`]);

const CONFIGURATIONS = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'validatingwebhookconfigurations',
};

/** With strict field validation, so that an unknown field is an error. */
async function deploy(folder: string): Promise<void> {
  const documents = (await kubectl.ok(['kustomize', `${EXAMPLE}deploy/${folder}`])).split(/^---$/m);
  const served = documents.filter(
    (document) => !NOT_SERVED.some((kind) => new RegExp(`^kind: ${kind}$`, 'm').test(document)),
  );
  expect([documents.length, served.length]).toEqual([16, 13]);
  await kubectl.ok(['apply', '--validate=strict', '-f', '-'], { stdin: served.join('---') });
}

interface Report {
  phase: number;
  safe: boolean;
  findings: { level: string; text: string }[];
}

async function phase(...flags: string[]): Promise<{ report: Report; code: number | NodeJS.Signals }> {
  const run = new Run(
    'snapshot',
    'phase',
    '-o',
    'json',
    '--check',
    '--kubeconfig',
    server.kubeconfig,
    ...flags,
  );
  const code = await run.ended;
  expect(run.stdout, run.stderr).toMatch(/^\{/);
  return { report: JSON.parse(run.stdout) as Report, code };
}
/** What the command finds, without running it. */
async function isSafe(): Promise<boolean> {
  const labeller = { namespace: 'snapshot-system', name: 'instar-snapshot-labeller' };
  return phaseReport(await readClusterFacts(client, { labeller, probeNamespace: 'default' }), { waitMs: 0 })
    .safe;
}
const textsOf = ({ findings }: Report, level: string): string[] =>
  findings.filter((finding) => finding.level === level).map(({ text }) => text);
const storedVersions = (plural: string): Promise<string> =>
  kubectl.ok(['get', 'crd', `${plural}.snapshot.storage.k8s.io`, '-o', 'jsonpath={.status.storedVersions}']);

describeUnless(missingKubectl(), 'volume snapshots', { timeout: 60_000 }, () => {
  it('before: v1beta1 accepts invalid objects', async () => {
    expect((await enter(1)).code).toBe(0);
    await kubectl.ok(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=20s']);
    await eventually('v1beta1 to be served', () => isServed('v1beta1'));
    const bound = { finalizers: ['snapshot.storage.kubernetes.io/volumesnapshot-bound-protection'] };
    expect((await create(yaml('VolumeSnapshot', 'old-empty', { source: {} }, 'v1beta1', bound))).code).toBe(
      0,
    );
    expect(
      (
        await create(
          yaml('VolumeSnapshot', 'old-class', {
            source: { persistentVolumeClaimName: 'data' },
            volumeSnapshotClassName: '',
          }),
        )
      ).code,
    ).toBe(0);
    expect(
      (
        await create(
          yaml('VolumeSnapshotContent', 'old-ref', {
            source: { snapshotHandle: 's' },
            volumeSnapshotRef: { name: 'n' },
          }),
        )
      ).code,
    ).toBe(0);
    const { report } = await phase();
    expect(report.phase).toBe(0);
  });

  it('phase 1: the webhook denies once it has written its own CA bundle', async () => {
    await deploy('base');
    webhook = await startWebhook();
    await eventually('the webhook to deny', async () =>
      (await create(yaml('VolumeSnapshot', 'probe', { source: {} }))).stderr.includes(DENIED),
    );
  });

  it('refuses invalid objects and names the field', async () => {
    const none = await create(yaml('VolumeSnapshot', 'new', { source: {} }));
    expect(none.stderr).toContain(
      `Error from server (BadRequest): error when creating "STDIN": ${DENIED}: spec.source: Required value`,
    );
    const both = await create(
      yaml('VolumeSnapshotContent', 'new', {
        source: { volumeHandle: 'v', snapshotHandle: 's' },
        volumeSnapshotRef: { name: 'n', namespace: 'ns' },
      }),
    );
    expect(both.stderr).toContain(
      'exactly one of spec.source.volumeHandle and spec.source.snapshotHandle must be set, not both',
    );
    expect(
      (await create(yaml('VolumeSnapshot', 'good', { source: { persistentVolumeClaimName: 'data' } }))).code,
    ).toBe(0);
    const moved = await patch('volumesnapshot', 'good', {
      spec: { source: { persistentVolumeClaimName: 'other' } },
    });
    expect(moved.stderr).toContain(
      'spec.source.persistentVolumeClaimName: Invalid value: "other": field is immutable; it was "data"',
    );
    const worse = await patch('volumesnapshot', 'good', { spec: { volumeSnapshotClassName: '' } });
    expect(worse.stderr).toContain(
      'spec.volumeSnapshotClassName: Invalid value: "": must not be the empty string',
    );
  });

  it('labels the old invalid ones by the leader of two labelers', async () => {
    await Promise.all([startLabeller('one'), startLabeller('two')]);
    await eventually(
      'the old snapshots to be labelled',
      async () => (await namesOf('volumesnapshots', SNAPSHOT_LABEL)) === 'old-class,old-empty',
    );
    await eventually(
      'the old content to be labelled',
      async () => (await namesOf('volumesnapshotcontents', CONTENT_LABEL)) === 'old-ref',
    );
    await kubectl.ok([
      'wait',
      '-n',
      'snapshot-system',
      'configmap/instar-snapshot-labeller',
      '--for=jsonpath={.data.invalidContents}=1',
      '--timeout=20s',
    ]);
    const { report, code } = await phase();
    expect([report.phase, report.safe, code]).toEqual([1, false, 1]);
    expect(textsOf(report, 'blocked')).toEqual([
      '2 of 3 VolumeSnapshots are invalid, 2 labeled',
      '1 of 1 VolumeSnapshotContent is invalid, 1 labeled',
    ]);
    expect(textsOf(report, 'ok')).toContain('an invalid snapshot, tried in a dry run, was refused');
    expect(
      textsOf(report, 'ok').filter((text) => /^the labeller runs \((one|two)\)$/.test(text)),
    ).toHaveLength(1);
  });

  it('keeps an old invalid object deletable', async () => {
    const touched = await kubectl.run(['annotate', 'volumesnapshot', 'old-empty', 'seen=yes']);
    expect([touched.code, touched.stderr]).toEqual([
      0,
      expect.stringContaining('Warning: still invalid, as before this change: spec.source: Required value'),
    ]);
    await kubectl.ok(['delete', 'volumesnapshot', 'old-empty', '--wait=false']);
    expect((await patch('volumesnapshot', 'old-empty', { metadata: { finalizers: null } })).code).toBe(0);
    expect((await kubectl.run(['get', 'volumesnapshot', 'old-empty'])).stderr).toContain('NotFound');
  });

  it('removes the labels when the others are fixed, so that the next phase is safe after a wait', async () => {
    expect(
      (await patch('volumesnapshot', 'old-class', { spec: { volumeSnapshotClassName: 'fast' } })).code,
    ).toBe(0);
    expect(
      (
        await patch('volumesnapshotcontent', 'old-ref', {
          spec: { volumeSnapshotRef: { namespace: 'default' } },
        })
      ).code,
    ).toBe(0);
    await eventually(
      'the labels to go',
      async () =>
        (await namesOf('volumesnapshots', SNAPSHOT_LABEL)).length +
          (await namesOf('volumesnapshotcontents', CONTENT_LABEL)).length ===
        0,
    );
    await eventually('the phase to be safe', isSafe);
    const { report, code } = await phase();
    expect([report.safe, code]).toEqual([false, 1]);
    expect(textsOf(report, 'wait')).toEqual([
      expect.stringMatching(/no object has been invalid for \d+ (second|minute)s?$/),
    ]);
  });

  it('phase 2: v1 is served with a schema that refuses invalid objects', async () => {
    expect((await enter(2)).code).toBe(0);
    await eventually('v1 to be served', () => isServed('v1'));
    await kubectl.ok(['get', 'volumesnapshots.v1.snapshot.storage.k8s.io', 'good']);
    expect((await phase('--wait', '0s')).report).toMatchObject({ phase: 2, safe: true });
    expect(await storedVersions('volumesnapshots')).toBe('["v1beta1"]');
    await webhook.end();
    const refused = await create(yaml('VolumeSnapshot', 'strict', { source: {} }, 'v1'));
    expect(refused.stderr).toMatch(/The VolumeSnapshot "strict" is invalid:[\s\S]*spec\.source/);
    const moved = await patch('volumesnapshots.v1.snapshot.storage.k8s.io', 'good', {
      spec: { source: { persistentVolumeClaimName: 'other' } },
    });
    expect(moved.stderr).toContain('persistentVolumeClaimName is immutable');
  });

  it('detects an invalid object that was created while the webhook was unreachable', async () => {
    const bound = { finalizers: ['snapshot.storage.kubernetes.io/volumesnapshot-bound-protection'] };
    expect((await create(yaml('VolumeSnapshot', 'slipped', { source: {} }, 'v1beta1', bound))).code).toBe(0);
    await eventually(
      'the snapshot that slipped in to be labelled',
      async () => (await namesOf('volumesnapshots', SNAPSHOT_LABEL)) === 'slipped',
    );
    const { report } = await phase('--wait', '0s');
    expect(textsOf(report, 'blocked')).toEqual([
      '1 of 3 VolumeSnapshots is invalid, 1 labeled',
      'an invalid snapshot, tried in a dry run, was not refused: the webhook is unreachable, or is not called',
    ]);
  });

  it('accepts an update in v1 that does not change the invalid value, as the schema ratchets', async () => {
    const v1 = 'volumesnapshots.v1.snapshot.storage.k8s.io';
    expect((await kubectl.run(['annotate', v1, 'slipped', 'seen=yes'])).code).toBe(0);
    const worse = await patch(v1, 'slipped', { spec: { volumeSnapshotClassName: '' } });
    expect([worse.code, worse.stderr]).toEqual([1, expect.stringContaining('spec.volumeSnapshotClassName')]);
  });

  it('returns to phase 2 after a rollback to remove the invalid object', async () => {
    webhook = await startWebhook();
    expect((await enter(1)).code).toBe(0);
    await eventually('v1 to be no longer served', async () => !(await isServed('v1')));
    // kubectl caches discovery for minutes, unless it is asked for it.
    await kubectl.ok(['api-resources', '--api-group', GROUP]);
    expect((await phase('--wait', '0s')).report).toMatchObject({ phase: 1, safe: false });
    expect(await namesOf('volumesnapshots')).toBe('good,old-class,slipped');
    await kubectl.ok(['delete', 'volumesnapshot', 'slipped', '--wait=false']);
    expect((await patch('volumesnapshot', 'slipped', { metadata: { finalizers: null } })).code).toBe(0);
    await eventually('the phase to be safe', isSafe);
    expect((await enter(2)).code).toBe(0);
    await eventually('v1 to be served', () => isServed('v1'));
  });

  it('phase 3: v1 is stored, which rules out a return to phase 1', async () => {
    await deploy('overlays/fail-closed');
    const [configured] = (await client.list(CONFIGURATIONS)).items as unknown as {
      webhooks: { failurePolicy: string; clientConfig: { caBundle?: string } }[];
    }[];
    // The CA that the webhook wrote is kept: kubectl does not own the field.
    expect([configured!.webhooks[0]!.failurePolicy, configured!.webhooks[0]!.clientConfig.caBundle]).toEqual([
      'Fail',
      expect.stringMatching(/^LS0t/),
    ]);
    await eventually('the phase to be safe', isSafe);
    expect((await enter(3)).code).toBe(0);
    const { report } = await phase('--wait', '0s');
    expect([report.phase, textsOf(report, 'wait')]).toEqual([
      3,
      [
        'VolumeSnapshots may still be stored in v1beta1',
        'VolumeSnapshotContents may still be stored in v1beta1',
      ],
    ]);
    const back = await enter(1);
    expect([
      back.code,
      back.stderr.includes('v1 was previously a storage version, and must remain in spec.versions'),
    ]).toEqual([1, true]);
    for (const plural of ['volumesnapshots', 'volumesnapshotcontents']) {
      const migrate = new Run(
        'migrate',
        `${plural}.snapshot.storage.k8s.io`,
        '--yes',
        '--state',
        `${server.dataDir}/${plural}.json`,
        '--kubeconfig',
        server.kubeconfig,
      );
      expect(await migrate.ended, migrate.stderr).toBe(0);
      expect(await storedVersions(plural)).toBe('["v1"]');
    }
    const done = await phase('--wait', '0s');
    expect([done.report.phase, done.report.safe, done.code]).toEqual([3, true, 0]);
  });
});
