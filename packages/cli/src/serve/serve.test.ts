// The built command, run as users run it.

import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCa, createLeaf } from '@instar/serving';
import { temporaryFolder } from '@instar/testing';
import { Run } from '@instar/testing/command';
import { describe, expect, it } from 'vitest';

function statusOf(url: string, ca: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      { ca, agent: false, headers: { authorization: `Bearer ${token}` } },
      (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode!));
      },
    );
    asked.once('error', reject).end();
  });
}

const dir = temporaryFolder();

const field = (kubeconfig: string, name: string): string =>
  new RegExp(`${name}: (\\S+)`).exec(kubeconfig)![1]!;

describe('instar serve', () => {
  it('can be used with its kubeconfig until SIGTERM ends it with 0', async () => {
    const run = new Run(
      'serve',
      '--data-dir',
      join(dir, 'a'),
      '--secure-port=0',
      '--service-cluster-ip-range=10.0.0.0/24',
      '--allow-privileged',
    );
    const { url, kubeconfig } = await run.ready();
    expect(kubeconfig).toBe(join(dir, 'a', 'kubeconfig'));
    expect((await stat(kubeconfig)).mode & 0o777).toBe(0o600);
    const text = await readFile(kubeconfig, 'utf8');
    expect(field(text, 'server')).toBe(url);
    const ca = Buffer.from(field(text, 'certificate-authority-data'), 'base64').toString();
    expect(await statusOf(`${url}/api/v1/namespaces/default`, ca, field(text, 'token'))).toBe(200);
    expect(await statusOf(`${url}/api/v1/namespaces/default`, ca, 'wrong')).toBe(401);
    expect(run.stderr).toContain('"flag":"--allow-privileged"');
    expect(run.stderr).not.toContain(field(text, 'token'));
    run.child.kill('SIGTERM');
    expect(await run.ended).toBe(0);
    expect(run.stdout.split('\n')).toHaveLength(2);
  });

  it('serves a leaf whose file does not contain the CA that signed it', async () => {
    const ca = createCa('test-ca', 1);
    const signer = { ...ca, commonName: 'test-ca' };
    const subject = { commonName: 'leaf' };
    const leaf = createLeaf(signer, { subject, usage: 'server', hosts: ['127.0.0.1'], days: 1 });
    const [cert, key] = [join(dir, 'leaf.crt'), join(dir, 'leaf.key')];
    await writeFile(cert, leaf.certificate);
    await writeFile(key, leaf.key);
    const run = new Run(
      'serve',
      '--data-dir',
      join(dir, 'leaf'),
      '--storage=memory:',
      '--port=0',
      `--tls-cert-file=${cert}`,
      `--tls-private-key-file=${key}`,
    );
    const { url, kubeconfig } = await run.ready();
    const token = field(await readFile(kubeconfig, 'utf8'), 'token');
    expect(await statusOf(`${url}/api/v1/namespaces/default`, ca.certificate, token)).toBe(200);
    run.child.kill('SIGTERM');
    expect(await run.ended).toBe(0);
  });

  it('keeps its CA and its admin token over a restart', async () => {
    const first = new Run('serve', '--data-dir', join(dir, 'b'), '--port', '0', '--log-level', 'error');
    const before = await readFile((await first.ready()).kubeconfig, 'utf8');
    first.child.kill('SIGINT');
    expect(await first.ended).toBe(0);
    const second = new Run(
      'serve',
      '--data-dir',
      join(dir, 'b'),
      '--port',
      '0',
      '--kubeconfig',
      join(dir, 'other'),
    );
    const { kubeconfig } = await second.ready();
    expect(kubeconfig).toBe(join(dir, 'other'));
    const after = await readFile(kubeconfig, 'utf8');
    for (const name of ['token', 'certificate-authority-data'])
      expect(field(after, name)).toBe(field(before, name));
    second.child.kill('SIGTERM');
    await second.ended;
  });

  it('refuses a data directory that another server has open', async () => {
    const first = new Run('serve', '--data-dir', join(dir, 'c'), '--port', '0');
    await first.ready();
    const second = new Run('serve', '--data-dir', join(dir, 'c'), '--port', '0');
    expect(await second.ended).not.toBe(0);
    expect([second.stdout, second.stderr.trim().split('\n').length]).toEqual(['', 1]);
    expect(second.stderr).toMatch(/^error: /);
    first.child.kill('SIGTERM');
    await first.ended;
  });

  it('refuses a port that is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const run = new Run('serve', '--data-dir', join(dir, 'd'), '--port', String(port));
    expect(await run.ended).toBe(1);
    expect(run.stderr).toBe(
      `error: port ${port} of 127.0.0.1 is in use: choose another with --port, or --port 0 for any\n`,
    );
    other.close();
  });

  it('refuses a data directory that cannot be one', async () => {
    await writeFile(join(dir, 'file'), '');
    const run = new Run('serve', '--data-dir', join(dir, 'file', 'below'), '--port', '0');
    expect(await run.ended).toBe(1);
    expect(run.stderr).toMatch(/^error: .*file.* is not a directory/);
    const hopeless = new Run('serve', '--data-dir', '/proc/x', '--port', '0');
    expect(await hopeless.ended).toBe(1);
    expect(hopeless.stderr).toMatch(/^error: \/proc\/x .+: see --data-dir\n$/);
    if (process.getuid?.() === 0) return;
    await mkdir(join(dir, 'closed'));
    await chmod(join(dir, 'closed'), 0o500);
    const closed = new Run('serve', '--data-dir', join(dir, 'closed', 'x'), '--port', '0');
    expect(await closed.ended).toBe(1);
    expect(closed.stderr).toMatch(/^error: not allowed to use/);
  });

  it.each([
    [['--prot', '1'], /unknown option '--prot'\n\(Did you mean --port\?\)/],
    [['--port', 'x'], /'--port <n>' argument 'x' is invalid. It must be a port/],
    [['--port', '1', '--secure-port', '2'], /--port 1 and --secure-port 2 mean the same/],
    [['--tls-cert-file', 'x'], /given together/],
    [['--storage', 'memory:', '--etcd-servers', 'http://x'], /both name a storage/],
    [['--storage', 'paper:'], /unknown scheme/],
    [['--request-timeout', '5'], /It must be a duration/],
    [['--feature-gates', 'A'], /not of the form Name=true/],
    [
      ['--feature-gates', 'WatchLits=true', '--storage', 'memory:'],
      /^error: unrecognized feature gate: WatchLits\n$/,
    ],
    [
      ['--client-ca-file', fileURLToPath(import.meta.url)],
      /serve\.test\.ts contains no certificate: see --client-ca-file\n$/,
    ],
    [['--storage', 'lmdb:/proc/x'], /^error: there can be no data in \/proc\/x: /],
    [['--authorization-mode', 'Node,RBAC'], /there are no nodes here/],
    [['--authorization-mode', 'RBAC,RBAC'], /\["RBAC" "RBAC"\] has mode specified more than once/],
    [['--authorization-mode', 'Webhook'], /authorization config file not passed/],
    [
      ['--authorization-config', '/nowhere/a'],
      /^error: \/nowhere\/a does not exist: see --authorization-config\n$/,
    ],
    [['--audit-log-path=-', '--audit-log-mode=never'], /invalid audit log mode never, allowed modes are/],
    [
      ['--audit-policy-file', '/nowhere/a'],
      /^error: \/nowhere\/a does not exist: see --audit-policy-file\n$/,
    ],
    [['--emulated-version=1.31'], /behaves as Kubernetes 1\.36, and as no other version/],
    [
      ['--runtime-config=batch/v2=true', '--storage', 'memory:'],
      /^error: runtime-config batch\/v2=true: this server does not have that version\n$/,
    ],
    [
      ['--enable-admission-plugins=NodeRestriction', '--storage', 'memory:'],
      /plugin "NodeRestriction" is not part of this server: there are no kubelets that it could restrict\n$/,
    ],
    [['--cert-dir', '/nowhere', '--tls-cert-file', 'a'], /must be given together/],
    [
      ['--token-auth-file', '/nowhere/tokens'],
      /^error: \/nowhere\/tokens does not exist: see --token-auth-file\n$/,
    ],
  ])('refuses the flags %j', async (args, message) => {
    const run = new Run(
      'serve',
      '--data-dir',
      join(dir, 'e'),
      ...(args.includes('--port') ? [] : ['--port', '0']),
      ...args,
    );
    expect(await run.ended).toBe(1);
    expect(run.stderr).toMatch(message);
    expect(run.stdout).toBe('');
  });
});

describe('instar', () => {
  it('has help for everything', async () => {
    const [main, serve] = [new Run('--help'), new Run('serve', '--help')];
    expect([await main.ended, await serve.ended]).toEqual([0, 0]);
    expect(main.stdout).toContain('serve');
    for (const flag of [
      '--data-dir',
      '--storage',
      '--bind-address',
      '--port',
      '--kubeconfig',
      'ready https://',
    ])
      expect(serve.stdout).toContain(flag);
  });

  it('prints its version', async () => {
    const run = new Run('version');
    expect(await run.ended).toBe(0);
    expect(run.stdout).toMatch(/^instar \d+\.\d+\.\d+\nKubernetes API v1\.36\./);
  });

  it('suggests what was meant', async () => {
    const run = new Run('serv');
    expect(await run.ended).toBe(2);
    expect(run.stderr).toContain('Did you mean serve?');
  });
});
