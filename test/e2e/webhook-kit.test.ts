// The webhook kit and the API server, over real TLS: the server converts and admits through the kit, which
// creates its own certificates and writes its CA bundle.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clusterAccessOf, KubeClient, parseKubeconfig } from '@instar/client';
import { type FieldError, fieldErrors, type JsonObject, type KubeObject } from '@instar/machinery';
import { createCa, createLeaf } from '@instar/serving';
import { eventually, temporaryFolder } from '@instar/testing';
import {
  admission,
  conversion,
  type HostOptions,
  patch,
  ratchet,
  serveWebhooks,
  type WebhookHost,
} from '@instar/webhook';
import { startServer } from 'instar';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

const GROUP = 'kit.example.com';
const crds = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
const registrations = { group: 'admissionregistration.k8s.io', version: 'v1' };
const cronTabs = (version: string) => ({ group: GROUP, version, resource: 'crontabs', namespace: 'default' });
const secret = { name: 'hook-tls', namespace: 'default' };
const secretRef = { group: '', version: 'v1', resource: 'secrets', ...secret };

interface CronTab extends KubeObject {
  spec: { cronSpec?: string; schedule?: string; replicas?: number; image?: string };
}

function definition(url: string): object {
  const version = (name: string) => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    },
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `crontabs.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', listKind: 'CronTabList' },
      versions: [version('v1'), version('v2')],
      conversion: {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: `${url}/convert` } },
      },
    },
  };
}

function configuration(kind: 'Validating' | 'Mutating', url: string): object {
  const rules = [
    {
      apiGroups: [GROUP],
      apiVersions: ['v1'],
      operations: ['CREATE', 'UPDATE'],
      resources: ['crontabs'],
      scope: '*',
    },
  ];
  const path = kind === 'Validating' ? 'validate' : 'mutate';
  const webhook = {
    name: `${path}.${GROUP}`,
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    rules,
    clientConfig: { url: `${url}/${path}` },
  };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: 'hook' },
    webhooks: [webhook],
  };
}

const tooMany = ({ spec }: CronTab): FieldError[] =>
  (spec.replicas ?? 0) > 10
    ? [fieldErrors.invalid('spec.replicas', spec.replicas!, 'must be at most 10')]
    : [];
const rename = (from: string, to: string) => (object: JsonObject) => {
  const { [from]: value, ...spec } = object['spec'] as JsonObject;
  return { ...object, spec: value === undefined ? spec : { ...spec, [to]: value } };
};
const webhooks = {
  '/validate': admission(ratchet<CronTab>(tooMany, { immutable: ['spec.image'], code: 400 })),
  '/mutate': admission<CronTab>(({ object }) =>
    patch({ ...object!, spec: { replicas: 1, ...object!.spec } }),
  ),
  '/convert': conversion({
    group: GROUP,
    kind: 'CronTab',
    convert: { 'v1→v2': rename('cronSpec', 'schedule'), 'v2→v1': rename('schedule', 'cronSpec') },
  }),
};

let server: Awaited<ReturnType<typeof startServer>>;
let client: KubeClient;
const hosts: WebhookHost[] = [];
beforeAll(async () => {
  server = await startServer({ storage: 'memory:' });
  client = new KubeClient(clusterAccessOf(parseKubeconfig(server.kubeconfig(), 'the kubeconfig'), undefined));
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
  for (const resource of ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations']) {
    await client.delete({ ...registrations, resource, name: 'hook' }).catch(() => {});
  }
  for (const { metadata } of (await client.list(cronTabs('v1')).catch(() => ({ items: [] }))).items) {
    await client.delete({ ...cronTabs('v1'), name: metadata.name! });
  }
  await client.delete({ ...crds, name: `crontabs.${GROUP}` }).catch(() => {});
  const definition = () => client.get({ ...crds, name: `crontabs.${GROUP}` }).catch(() => 'gone');
  await eventually('the definition to be deleted', definition, { holds: (answer) => answer === 'gone' });
  await client.delete(secretRef).catch(() => {});
});
afterAll(async () => {
  await client.close();
  await server.close();
});

const inject = [
  { customResourceDefinition: `crontabs.${GROUP}` },
  { validatingWebhookConfiguration: 'hook' },
  { mutatingWebhookConfiguration: 'hook' },
];

async function host(overlapSeconds = 3600, options: Partial<HostOptions> = {}): Promise<WebhookHost> {
  const lifetimes = { overlapSeconds, checkSeconds: 0.1 };
  const tls = { selfManaged: { client, inject, store: { secret }, lifetimes } };
  const opened = await serveWebhooks({ listen: { host: '127.0.0.1', port: 0 }, tls, webhooks, ...options });
  hosts.push(opened);
  return opened;
}

async function readiness({ url }: { readonly url: string }): Promise<string> {
  const { Agent, fetch } = await import('undici');
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  const text = await (await fetch(`${url}/readyz`, { dispatcher })).text();
  await dispatcher.close();
  return text;
}

const isReady = (host: { readonly url: string }) =>
  eventually('the webhook to be ready', () => readiness(host), { holds: (text) => text === 'ok' });

/** What an administrator applies, without any caBundle. */
async function configure(url: string): Promise<void> {
  await client.create(crds, definition(url));
  await client.create(
    { ...registrations, resource: 'validatingwebhookconfigurations' },
    configuration('Validating', url),
  );
  await client.create(
    { ...registrations, resource: 'mutatingwebhookconfigurations' },
    configuration('Mutating', url),
  );
}

const cronTab = (version: string, name: string, spec: object): object => ({
  apiVersion: `${GROUP}/${version}`,
  kind: 'CronTab',
  metadata: { name },
  spec,
});

/** Once the definition is served and the webhooks are trusted. */
const established = () =>
  eventually('an object to be admitted', () => client.create(cronTabs('v1'), cronTab('v1', 'probe', {})));

describe('an API server with the CA bundle that the kit wrote', () => {
  it('converts and admits through it', async () => {
    const kit = await host();
    expect(await readiness(kit)).toMatch(
      /^not ready: the CA is not written to customresourcedefinition\/crontabs.kit.example.com yet: /,
    );
    await configure(kit.url);
    await isReady(kit);
    await established();

    const made = await client.create<CronTab>(
      cronTabs('v1'),
      cronTab('v1', 'a', { cronSpec: '* * * * *', image: 'i' }),
    );
    expect(made.spec).toEqual({ cronSpec: '* * * * *', image: 'i', replicas: 1 });
    const read = await client.get<CronTab>({ ...cronTabs('v2'), name: 'a' });
    expect(read).toMatchObject({
      apiVersion: `${GROUP}/v2`,
      spec: { schedule: '* * * * *', image: 'i', replicas: 1 },
    });
    expect(read.metadata).toMatchObject({
      uid: made.metadata.uid!,
      resourceVersion: made.metadata.resourceVersion!,
    });

    const refused = await client
      .create(cronTabs('v1'), cronTab('v1', 'b', { replicas: 11 }))
      .catch((error) => error);
    expect([refused.code, refused.message]).toEqual([
      400,
      `admission webhook "validate.${GROUP}" denied the request: spec.replicas: Invalid value: 11: must be at most 10`,
    ]);
    const moved = await client
      .patch({ ...cronTabs('v2'), name: 'a' }, { spec: { image: 'other' } }, { type: 'merge' })
      .catch((error) => error);
    expect(moved.message).toContain('spec.image: Invalid value: "other": field is immutable');
  });

  it('ratchets only updates of an object that was already invalid', async () => {
    const kit = await host();
    await configure(kit.url);
    await established();
    const name = 'old';
    await client.delete({ ...registrations, resource: 'validatingwebhookconfigurations', name: 'hook' });
    await eventually('an invalid object to be admitted', () =>
      client.create(cronTabs('v1'), cronTab('v1', name, { replicas: 99, image: 'i' })),
    );
    await client.create(
      { ...registrations, resource: 'validatingwebhookconfigurations' },
      configuration('Validating', kit.url),
    );
    const isStrict = () =>
      client
        .create(cronTabs('v1'), cronTab('v1', 'new', { replicas: 99 }), { dryRun: true })
        .catch(({ code }) => code);
    await eventually('invalid objects to be refused', isStrict, { holds: (code) => code === 400 });

    const change = (spec: object) =>
      client.patch<CronTab>({ ...cronTabs('v1'), name }, { spec }, { type: 'merge' });
    expect((await change({ replicas: 50 })).spec.replicas).toBe(50);
    await expect(change({ image: 'j' })).rejects.toThrow('field is immutable');
    expect((await change({ replicas: 5 })).spec.replicas).toBe(5);
    await expect(change({ replicas: 50 })).rejects.toThrow('must be at most 10');
  });

  it('reports which object a conversion failed for', async () => {
    const broken = conversion({
      group: GROUP,
      kind: 'CronTab',
      convert: {
        'v1→v2': () => {
          throw new Error('spec.cronSpec makes no sense');
        },
        'v2→v1': rename('schedule', 'cronSpec'),
      },
    });
    const kit = await host(3600, { webhooks: { ...webhooks, '/convert': broken } });
    await configure(kit.url);
    await established();
    const failed = await client.get({ ...cronTabs('v2'), name: 'probe' }).catch((error) => error);
    expect(failed.message).toContain(
      `conversion webhook for ${GROUP}/v1, Kind=CronTab failed: CronTab default/probe from ${GROUP}/v1 to ${GROUP}/v2: spec.cronSpec makes no sense`,
    );
  });
});

describe('replicas', () => {
  it('maintain the bundle of one CA although they start concurrently', async () => {
    const [a, b, c] = await Promise.all([host(), host(), host()]);
    expect(new Set([a.caBundle, b.caBundle, c.caBundle]).size).toBe(1);
    await configure(a.url);
    await established();
    const bundleOf = async () =>
      (
        await client.get<KubeObject & { webhooks: { clientConfig: { caBundle?: string } }[] }>({
          ...registrations,
          resource: 'validatingwebhookconfigurations',
          name: 'hook',
        })
      ).webhooks[0]!.clientConfig.caBundle;
    const bundle = Buffer.from(a.caBundle).toString('base64');
    expect(await bundleOf()).toBe(bundle);
    const remove = [{ op: 'remove', path: '/webhooks/0/clientConfig/caBundle' }];
    await client.patch(
      { ...registrations, resource: 'validatingwebhookconfigurations', name: 'hook' },
      remove,
      { type: 'json' },
    );
    await eventually('the CA to be written again', bundleOf, { holds: (written) => written === bundle });
  });

  it('change to a new CA together without a failed call', async () => {
    const old = await keepOldCa();
    const a = await host(1);
    const bundles = new Set([a.caBundle]);
    const b = await host(1);
    const watching = setInterval(() => bundles.add(a.caBundle), 5);
    await configure(a.url);
    await established();
    let calls = 0;
    const failures: unknown[] = [];
    const isNewAlone = async () => {
      const object = cronTab('v2', `c-${calls++}`, { schedule: '* * * * *' });
      await client.create(cronTabs('v2'), object).catch((error) => failures.push(error));
      return !a.caBundle.includes(old) && a.caBundle === b.caBundle;
    };
    await eventually('both to have the new CA alone', isNewAlone, { timeoutMs: 15_000, intervalMs: 20 });
    expect(failures).toEqual([]);
    clearInterval(watching);
    // Both together first; then the new one alone.
    expect([...bundles].map((bundle) => bundle.match(/BEGIN CERTIFICATE/g)!.length)).toEqual([2, 1]);
    await client.create(cronTabs('v2'), cronTab('v2', 'last', { schedule: '* * * * *' }));
    expect(calls).toBeGreaterThan(0);
  });

  /** A Secret after two thirds of the lifetime of its CA. */
  async function keepOldCa(): Promise<string> {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 600 * 86_400_000 });
    const ca = { ...createCa('old-ca', 730), commonName: 'old-ca' };
    vi.useRealTimers();
    const hosts = ['localhost', '127.0.0.1', '::1'];
    const leaf = createLeaf(ca, { subject: { commonName: 'hook' }, usage: 'server', hosts, days: 90 });
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    const data = {
      'tls.crt': base64(leaf.certificate),
      'tls.key': base64(leaf.key),
      'ca.crt': base64(ca.certificate),
      'ca.key': base64(ca.key),
    };
    const { name: _, ...secrets } = secretRef;
    await client.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: secret.name },
      type: 'kubernetes.io/tls',
      data,
    });
    return ca.certificate;
  }
});

describe('instar webhook serve', () => {
  const MAIN = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url));
  const LENS = `apiVersion: instar.dev/v1alpha1
kind: Lens
metadata: { name: crontabs }
spec:
  crd: crontabs.${GROUP}
  lenses:
  - from: v1
    to: v2
    ops:
    - rename: { from: spec.cronSpec, to: spec.schedule }
`;
  const MODULE = `export function validate({ object }) {
  // Remains after the review.
  setTimeout(() => { throw new Error('stray'); });
  Promise.reject(new Error('stray'));
  return object.spec.replicas > 10 ? { allowed: false, message: 'too many', code: 400 } : { allowed: true, warnings: ['looked at'] };
}
export function mutate({ object }) {
  return { allowed: true, patch: { changed: { ...object, spec: { replicas: 2, ...object.spec } } } };
}
`;
  const dir = temporaryFolder();
  beforeAll(async () => {
    if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: run npm run build first`);
    await writeFile(join(dir, 'lens.yaml'), LENS);
    await writeFile(join(dir, 'hooks.mjs'), MODULE);
    await writeFile(join(dir, 'kubeconfig'), server.kubeconfig());
  });

  function run(...args: string[]): {
    child: ChildProcess;
    line: Promise<string>;
    ended: Promise<number | null>;
    stderr: () => string;
  } {
    const child = spawn(
      process.execPath,
      [MAIN, 'webhook', 'serve', '--bind-address', '127.0.0.1', '--port', '0', ...args],
      { cwd: dir },
    );
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += chunk));
    const line = new Promise<string>((resolve) =>
      child.stdout.once('data', (chunk) => resolve(String(chunk))),
    );
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    return { child, line, ended, stderr: () => stderr };
  }

  it('runs a lens together with a module', async () => {
    const targets = [`crd/crontabs.${GROUP}`, 'validating/hook', 'mutating/hook'];
    const { child, line, ended } = run(
      '--lens',
      'lens.yaml',
      '--module',
      'hooks.mjs',
      '--kubeconfig',
      'kubeconfig',
      '--inject',
      ...targets,
    );
    const [, url, paths] = /^ready (\S+) (.*)\n$/.exec(await line)!;
    expect(paths).toBe('/validate /mutate /convert');
    await configure(url!);
    await isReady({ url: url! });
    await established();
    await client.create(cronTabs('v1'), cronTab('v1', 'a', { cronSpec: '1 * * * *' }));
    expect((await client.get<CronTab>({ ...cronTabs('v2'), name: 'a' })).spec).toEqual({
      schedule: '1 * * * *',
      replicas: 2,
    });
    await expect(client.create(cronTabs('v1'), cronTab('v1', 'b', { replicas: 11 }))).rejects.toThrow(
      'denied the request: too many',
    );
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('fails with a reason in one line', async () => {
    const { ended, stderr } = run('--lens', 'nowhere.yaml');
    expect([await ended, stderr()]).toEqual([2, 'error: nowhere.yaml does not exist\n']);
  });
});
