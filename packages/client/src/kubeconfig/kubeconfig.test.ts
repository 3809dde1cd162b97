import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@instar/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { clusterAccessOf } from './cluster-access.ts';
import { mergeKubeconfigs, parseKubeconfig } from './kubeconfig.ts';
import { KubeconfigError } from './kubeconfig-error.ts';
import { readClusterAccess } from './read-access.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const config = (cluster: string, user: string, context = 'cluster: c, user: u') => `
clusters: [{ name: c, cluster: { ${cluster} } }]
users: [{ name: u, user: { ${user} } }]
contexts: [{ name: x, context: { ${context} } }]
current-context: x
`;
const access = (cluster: string, user: string, context?: string) =>
  clusterAccessOf(parseKubeconfig(config(cluster, user, context), '/home/me/.kube/config'));

describe('a kubeconfig', () => {
  it.each([
    ['server: https://h:6443/', 'https://h:6443'],
    ['server: https://h/k8s/clusters/c-1/', 'https://h/k8s/clusters/c-1'],
    ['server: http://h:8080', 'http://h:8080'],
    ['server: h:8080', 'http://h:8080'],
    ['server: "https://[::1]:6443"', 'https://[::1]:6443'],
  ])('names the server: %s', (cluster, server) => {
    expect(access(cluster, '').server).toBe(server);
  });

  it.each([
    ['token: t', { token: 't' }],
    ['tokenFile: ../token, token: t', { tokenFile: '/home/me/token' }],
    ['username: me, password: p', { basic: { username: 'me', password: 'p' } }],
    [
      'as: boss, as-groups: [g], as-user-extra: { s: [v] }',
      { impersonate: { user: 'boss', groups: ['g'], extra: { s: ['v'] } } },
    ],
    [
      'exec: { apiVersion: client.authentication.k8s.io/v1, command: ./get, interactiveMode: Never, env: [{ name: A, value: b }] }',
      {
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1',
          command: '/home/me/.kube/get',
          args: [],
          env: { A: 'b' },
          installHint: '',
          interactiveMode: 'Never',
        },
      },
    ],
    [
      `client-certificate-data: ${base64('CERT')}, client-key: key.pem`,
      {
        tls: {
          insecure: false,
          clientCertificate: { certificate: { pem: 'CERT' }, key: { file: '/home/me/.kube/key.pem' } },
        },
      },
    ],
  ])('names the user: %s', (user, expected) => {
    expect(access('server: https://h', user)).toMatchObject(expected);
  });

  it('names the CA and the proxy', () => {
    const cluster = `server: https://h, certificate-authority-data: ${base64('CA')}, tls-server-name: other, proxy-url: http://p:3128`;
    expect(access(cluster, '')).toEqual({
      context: 'x',
      server: 'https://h',
      namespace: 'default',
      tls: { insecure: false, ca: { pem: 'CA' }, serverName: 'other' },
      proxyUrl: 'http://p:3128',
    });
    expect(
      access('server: https://h, insecure-skip-tls-verify: true', '', 'cluster: c, namespace: ns'),
    ).toMatchObject({
      namespace: 'ns',
      tls: { insecure: true },
    });
  });

  it.each([
    [config('server: ""', ''), 'the cluster "c" has no usable server: ""'],
    [config('server: https://h', 'client-key: k'), 'a client certificate and its key must be given together'],
    [
      config('server: https://h, insecure-skip-tls-verify: true, certificate-authority: f', ''),
      'are mutually exclusive',
    ],
    [config('server: https://h', 'auth-provider: { name: gcp }'), 'use an exec credential plugin'],
    [config('server: https://h', 'as-groups: [g]'), 'need as'],
    [
      config('server: https://h', 'exec: { command: x, apiVersion: client.authentication.k8s.io/v1alpha1 }'),
      'unknown apiVersion',
    ],
    [
      config('server: https://h', 'exec: { command: x, apiVersion: client.authentication.k8s.io/v1 }'),
      'must have an interactiveMode',
    ],
    [config('server: https://h', '', 'cluster: other'), 'names the cluster "other", which does not exist'],
    [
      config('server: https://h', '', 'cluster: c, user: other'),
      'names the user "other", which does not exist',
    ],
    ['current-context: z\ncontexts: [{ name: x }]', 'there is no context "z"; there are: x'],
    ['contexts: []', 'no current context'],
    ['clusters: 1', 'clusters is not a list'],
    ['- 1', 'it is not an object'],
    ['a: [', 'is not a kubeconfig'],
  ])('says what is wrong: %#', (text, message) => {
    const read = () => clusterAccessOf(parseKubeconfig(text, '/k'));
    expect(read).toThrow(KubeconfigError);
    expect(read).toThrow(message);
  });

  it('takes each entry from the first file that has it', () => {
    const first = parseKubeconfig(
      'current-context: a\ncontexts: [{ name: a, context: { cluster: one } }]',
      '/1',
    );
    const second = parseKubeconfig(
      'current-context: b\ncontexts: [{ name: a, context: { cluster: two } }, { name: b }]',
      '/2',
    );
    const merged = mergeKubeconfigs([first, second]);
    expect(merged.currentContext).toBe('a');
    expect(merged.contexts.get('a')).toEqual({ cluster: 'one' });
    expect([...merged.contexts.keys()].sort()).toEqual(['a', 'b']);
  });
});

describe('the current cluster', () => {
  const home = temporaryFolder();
  const write = async (name: string, server: string, context: string): Promise<string> => {
    const text = `clusters: [{ name: ${context}, cluster: { server: "${server}" } }]\ncontexts: [{ name: ${context}, context: { cluster: ${context} } }]\ncurrent-context: ${context}\n`;
    await writeFile(join(home, name), text);
    return join(home, name);
  };

  beforeAll(async () => {
    await mkdir(join(home, '.kube'));
    await mkdir(join(home, 'empty'));
    await mkdir(join(home, 'pod'));
    await write('.kube/config', 'https://home', 'home');
    await writeFile(join(home, 'pod', 'token'), 'secret');
    await writeFile(join(home, 'pod', 'namespace'), 'pods');
  });

  it('is that of the named file, else of $KUBECONFIG, else of the home directory', async () => {
    const a = await write('a', 'https://a', 'a');
    const b = await write('b', 'https://b', 'b');
    const env = { KUBECONFIG: `${join(home, 'missing')}:${b}:${a}` };
    expect((await readClusterAccess({ home, env: {} })).server).toBe('https://home');
    expect((await readClusterAccess({ home, env })).server).toBe('https://b');
    expect((await readClusterAccess({ home, env, context: 'a', namespace: 'n' })).server).toBe('https://a');
    expect((await readClusterAccess({ home, env, kubeconfig: a, namespace: 'n' })).namespace).toBe('n');
    await expect(readClusterAccess({ home, kubeconfig: join(home, 'missing') })).rejects.toThrow(
      'does not exist',
    );
  });

  it('is that of the pod if there is no kubeconfig', async () => {
    const pod = { home: join(home, 'empty'), serviceAccountFolder: join(home, 'pod') };
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    expect(await readClusterAccess({ ...pod, env })).toEqual({
      context: '',
      server: 'https://[fd00::1]:443',
      namespace: 'pods',
      tls: { insecure: false, ca: { file: join(home, 'pod', 'ca.crt') } },
      tokenFile: join(home, 'pod', 'token'),
    });
    await expect(readClusterAccess({ ...pod, env: {} })).rejects.toThrow('no cluster is configured');
  });
});
