// The manifests of examples/volume-snapshots: are they consistent, do the commands accept their arguments,
// and do they grant enough and no more? (test/e2e applies the kinds that our own server serves, strictly
// validated.)
import { readdir, readFile } from 'node:fs/promises';
import { type JsonObject, type KubeObject, parseYamlDocuments } from '@instar/machinery';
import { eventually } from '@instar/testing';
import { serveWebhooks } from '@instar/webhook';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Labeller } from './labeller/labeller.ts';
import { type RecordedRequest, recording } from './testing/recording-api.ts';
import { EXAMPLE, SNAPSHOT_REF, SnapshotCluster } from './testing/snapshot-cluster.ts';
import { snapshotWebhooks } from './webhook/snapshot-webhook.ts';

// biome-ignore lint/suspicious/noExplicitAny: manifests are read by path, and a wrong path fails the test
type Json = any;

const NAMESPACE = 'snapshot-system';
let manifests: (KubeObject & Json)[];

beforeAll(async () => {
  const folder = new URL('deploy/base/', EXAMPLE);
  const files = (await readdir(folder)).filter((file) => file !== 'kustomization.yaml').sort();
  const listed = parseYamlDocuments(await readFile(new URL('kustomization.yaml', folder), 'utf8'))[0]!
    .value as JsonObject;
  expect((listed['resources'] as string[]).toSorted()).toEqual(files);
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')));
  manifests = texts.flatMap((text) =>
    parseYamlDocuments(text).map(({ value }) => value as unknown as KubeObject),
  );
});

const all = (kind: string): Json[] => manifests.filter((manifest) => manifest.kind === kind);
const one = (kind: string, name: string): Json =>
  manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);

describe('the manifests', () => {
  it('match what the KEP specifies', () => {
    expect(one('Deployment', 'snapshot-validation-deployment').spec.replicas).toBe(3);
    const [configuration] = all('ValidatingWebhookConfiguration');
    expect(configuration.webhooks).toHaveLength(1);
    expect(configuration.webhooks[0]).toMatchObject({
      failurePolicy: 'Ignore',
      timeoutSeconds: 2,
      sideEffects: 'None',
      admissionReviewVersions: ['v1', 'v1beta1'],
    });
    expect(configuration.webhooks[0].rules).toEqual([
      {
        apiGroups: ['snapshot.storage.k8s.io'],
        apiVersions: ['v1', 'v1beta1'],
        operations: ['CREATE', 'UPDATE'],
        resources: ['volumesnapshots', 'volumesnapshotcontents'],
        scope: '*',
      },
    ]);
    expect(Object.keys(snapshotWebhooks())).toContain(configuration.webhooks[0].clientConfig.service.path);
  });

  it('name each other consistently', () => {
    const { service } = all('ValidatingWebhookConfiguration')[0].webhooks[0].clientConfig;
    const { spec, metadata } = one('Service', service.name);
    expect(metadata.namespace).toBe(service.namespace);
    const deployment = one('Deployment', 'snapshot-validation-deployment');
    expect(deployment.spec.template.metadata.labels).toMatchObject(spec.selector);
    const [container] = deployment.spec.template.spec.containers;
    expect(container.ports.map((port: Json) => port.containerPort)).toContain(spec.ports[0].targetPort);
    expect(all('PodDisruptionBudget')[0].spec.selector).toEqual(deployment.spec.selector);
    for (const { spec } of all('Deployment')) {
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
      expect(one('ServiceAccount', spec.template.spec.serviceAccountName)).toBeDefined();
      for (const probe of ['readinessProbe', 'livenessProbe'])
        expect(spec.template.spec.containers[0].ports.map((port: Json) => port.name)).toContain(
          spec.template.spec.containers[0][probe].httpGet.port,
        );
    }
    for (const { roleRef, subjects } of [...all('RoleBinding'), ...all('ClusterRoleBinding')]) {
      expect(one(roleRef.kind, roleRef.name)).toBeDefined();
      for (const { kind, name } of subjects) expect(one(kind, name)).toBeDefined();
    }
    for (const { kind, metadata } of manifests)
      expect([kind, metadata.namespace]).toEqual([
        kind,
        /^(Namespace|Cluster.*|Validating.*)$/.test(kind) ? undefined : NAMESPACE,
      ]);
  });

  it('use flags that the commands have', async () => {
    const { createProgram } = await import('../../cli/src/program.ts');
    for (const { spec } of all('Deployment')) {
      const [name, ...args] = spec.template.spec.containers[0].args as string[];
      const command = createProgram().commands.find((command) => command.name() === name)!;
      command.exitOverride().configureOutput({ writeErr: () => undefined });
      expect(command.parseOptions(args).unknown).toEqual([]);
    }
  });
});

describe('what the manifests allow', () => {
  let cluster: SnapshotCluster;
  beforeAll(async () => {
    cluster = await SnapshotCluster.start();
    await cluster.enter(1);
    await cluster.client.create(
      { group: '', version: 'v1', resource: 'namespaces' },
      one('Namespace', NAMESPACE),
    );
    await cluster.client.create(
      { group: 'admissionregistration.k8s.io', version: 'v1', resource: 'validatingwebhookconfigurations' },
      all('ValidatingWebhookConfiguration')[0],
    );
  });
  afterAll(() => cluster.close());

  interface Rule {
    readonly apiGroups: string[];
    readonly resources: string[];
    readonly verbs: string[];
    readonly resourceNames?: string[];
  }

  /** The rules that apply in the namespace, or everywhere. */
  const rulesOf = (name: string, namespaced: boolean): Rule[] =>
    one(namespaced ? 'Role' : 'ClusterRole', name).rules;
  const covers = (rule: Rule, { verb, group, resource, name }: RecordedRequest): boolean =>
    rule.verbs.includes(verb) &&
    rule.apiGroups.includes(group) &&
    rule.resources.includes(resource) &&
    (rule.resourceNames === undefined || (name !== undefined && rule.resourceNames.includes(name)));

  function expectJustEnough(account: string, asked: readonly RecordedRequest[]): void {
    const allowing = (one: RecordedRequest): Rule[] =>
      [...rulesOf(account, false), ...(one.namespace === NAMESPACE ? rulesOf(account, true) : [])].filter(
        (rule) => covers(rule, one),
      );
    expect(asked.filter((one) => allowing(one).length === 0)).toEqual([]);
    const used = new Set(
      asked.flatMap((one) => allowing(one).map((rule) => `${JSON.stringify(rule)} ${one.verb}`)),
    );
    const granted = [...rulesOf(account, false), ...rulesOf(account, true)].flatMap((rule) =>
      rule.verbs.map((verb) => `${JSON.stringify(rule)} ${verb}`),
    );
    expect(granted.filter((grant) => !used.has(grant))).toEqual([]);
  }

  it('is exactly what the labeller needs', async () => {
    const { api, asked } = recording(cluster.client);
    await cluster.snapshot('invalid', { source: {} });
    // Another client writes between reading and labeling, so that the labeller has to read the object again.
    let disturbed = false;
    const patch: typeof api.patch = async (ref, body, options) => {
      if (ref.resource === 'volumesnapshots' && !disturbed) {
        disturbed = true;
        await cluster.client.patch(
          { ...SNAPSHOT_REF, name: 'invalid' },
          { metadata: { annotations: { a: 'b' } } },
          { type: 'merge' },
        );
      }
      return api.patch(ref, body, options);
    };
    const stop = new AbortController();
    const labeller = new Labeller(
      { ...api, patch },
      {
        namespace: NAMESPACE,
        identity: 'me',
        election: { leaseDurationMs: 3000, renewDeadlineMs: 2000, retryPeriodMs: 50 },
      },
    );
    const ended = labeller.run(stop.signal);
    const has = (verb: string, resource: string): boolean =>
      asked.some((one) => one.verb === verb && one.resource === resource);
    await eventually(
      'everything that the labeller asks for',
      () =>
        has('patch', 'configmaps') &&
        has('get', 'volumesnapshots') &&
        has('watch', 'volumesnapshotcontents') &&
        has('update', 'leases'),
    );
    stop.abort();
    await ended;
    expectJustEnough('snapshot-labeller', asked);
  });

  it('is exactly what the webhook needs', async () => {
    const { api, asked } = recording(cluster.client);
    const host = await serveWebhooks({
      webhooks: snapshotWebhooks(),
      listen: { host: '127.0.0.1', port: 0 },
      tls: {
        selfManaged: {
          service: { namespace: NAMESPACE, name: 'snapshot-validation-service' },
          store: { secret: { namespace: NAMESPACE, name: 'snapshot-validation-secret' } },
          inject: [{ validatingWebhookConfiguration: 'validation-webhook.snapshot.storage.k8s.io' }],
          client: api,
          // Renewed immediately, and so written once more.
          lifetimes: { servingDays: 1 / 86_400, checkSeconds: 0.05 },
        },
      },
    });
    const has = (verb: string, resource: string): boolean =>
      asked.some((one) => one.verb === verb && one.resource === resource);
    await eventually(
      'the certificate to be renewed',
      () => has('patch', 'validatingwebhookconfigurations') && has('patch', 'secrets'),
    );
    await host.close();
    expectJustEnough('snapshot-validation', asked);
  });
});
