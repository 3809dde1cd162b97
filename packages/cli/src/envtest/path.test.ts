// The directory and the programs in it, run as envtest and kube-api-test run them.
import { execFile, spawn } from 'node:child_process';
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createCa, createLeaf, makeDirectory } from '@instar/serving';
import { eventually, freePort, temporaryFolder } from '@instar/testing';
import { Run } from '@instar/testing/command';
import { afterEach, describe, expect, it } from 'vitest';

const dir = temporaryFolder();
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function assets(name: string, ...flags: string[]): Promise<string> {
  const run = new Run('envtest', 'path', '--dir', join(dir, name), ...flags);
  expect(await run.ended).toBe(0);
  return run.stdout.trim();
}

/** A program of the directory; it is ended after the test. */
function start(file: string, ...args: string[]) {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  ends.push(() => {
    child.kill('SIGKILL');
    return ended;
  });
  return { child, ended, output: () => output };
}

interface Credential {
  readonly cert: string;
  readonly key: string;
}

interface Asked extends Partial<Credential> {
  readonly method?: string;
  readonly body?: string;
}

function ask(port: number, path: string, ca: string, asked: Asked = {}): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const { body: sentBody, ...options } = asked;
    const headers = { 'content-type': 'application/json' };
    const about = { host: '127.0.0.1', port, path, ca, agent: false as const, headers, ...options };
    const sent = request(about, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += chunk));
      response.once('end', () => resolve([response.statusCode!, body]));
    });
    sent.once('error', reject).end(sentBody);
  });
}

const isHealthy = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path: '/health', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).once('error', () => resolve(false));
  });

/** What envtest writes before it starts kube-apiserver. */
async function certificates(name: string) {
  const folder = join(dir, name);
  await makeDirectory(folder);
  const server = { ...createCa('server-ca', 1), commonName: 'server-ca' };
  const clients = { ...createCa('client-ca', 1), commonName: 'client-ca' };
  const serving = createLeaf(server, {
    subject: { commonName: 'apiserver' },
    usage: 'server',
    hosts: ['127.0.0.1'],
    days: 1,
  });
  await writeFile(join(folder, 'apiserver.crt'), serving.certificate);
  await writeFile(join(folder, 'apiserver.key'), serving.key);
  await writeFile(join(folder, 'client-ca.crt'), clients.certificate);
  const user = (commonName: string, ...organizations: string[]): Credential => {
    const subject = { commonName, organizations };
    const { certificate, key } = createLeaf(clients, { subject, usage: 'client', days: 1 });
    return { cert: certificate, key };
  };
  return { folder, ca: server.certificate, user };
}

async function controlPlane(directory: string, name: string) {
  const [etcdPort, port] = [await freePort(), await freePort()];
  const { folder, ca, user } = await certificates(name);
  const url = `http://127.0.0.1:${etcdPort}`;
  const etcd = start(join(directory, 'etcd'), `--listen-client-urls=${url}`, '--unsafe-no-fsync=true');
  await eventually('etcd to be healthy', () => isHealthy(etcdPort));
  const server = start(
    join(directory, 'kube-apiserver'),
    '--allow-privileged=true',
    '--authorization-mode=RBAC',
    '--bind-address=127.0.0.1',
    `--cert-dir=${folder}`,
    `--client-ca-file=${join(folder, 'client-ca.crt')}`,
    '--disable-admission-plugins=ServiceAccount',
    `--etcd-servers=${url}`,
    `--secure-port=${port}`,
    '--service-cluster-ip-range=10.0.0.0/24',
  );
  await eventually('/healthz', async () => {
    const [status] = await ask(port, '/healthz', ca).catch(() => [0]);
    return status === 200;
  });
  return { etcd, server, port, ca, user, folder };
}

describe('instar envtest path', () => {
  it('makes programs that answer --help with the flags that envtest looks for', async () => {
    const directory = await assets('help');
    const help = async (name: string): Promise<string> =>
      (await promisify(execFile)(join(directory, name), ['--help'])).stdout;
    expect(await help('etcd')).toMatch(/^\s*--unsafe-no-fsync\b/m);
    expect(await help('kube-apiserver')).toMatch(/^\s*--secure-port\b/m);
    expect(await help('kube-apiserver')).not.toMatch(/^\s*--insecure-port\b/m);
  });

  it('links a real etcd that it is given', async () => {
    const directory = await assets('real', '--etcd', process.execPath);
    expect(await readlink(join(directory, 'etcd'))).toBe(process.execPath);
  });

  it('refuses an etcd that is not a program', async () => {
    const run = new Run('envtest', 'path', '--dir', join(dir, 'no'), '--etcd', join(dir, 'nothing'));
    expect(await run.ended).toBe(2);
    expect(run.stderr).toMatch(/^error: --etcd: .*nothing is not a program/);
  });
});

describe('the programs of instar envtest path', () => {
  it('serve apiserver.crt of --cert-dir and know users by their certificates', async () => {
    const { port, ca, user } = await controlPlane(await assets('certs'), 'certs-c');
    const [status] = await ask(port, '/api/v1/namespaces/default', ca, user('admin', 'system:masters'));
    expect(status).toBe(200);
    const [refused, body] = await ask(port, '/api/v1/namespaces/default', ca, user('bob', 'guests'));
    expect(refused).toBe(403);
    expect(JSON.parse(body).message).toContain('User "bob" cannot get resource');
  });

  it('write nothing into --cert-dir if its files are there', async () => {
    const { folder } = await controlPlane(await assets('clean'), 'clean-c');
    expect((await readdir(folder)).sort()).toEqual(['apiserver.crt', 'apiserver.key', 'client-ca.crt']);
  });

  it('leave a deleted namespace as kube-apiserver alone does', async () => {
    const { port, ca, user } = await controlPlane(await assets('namespace'), 'namespace-c');
    const admin = user('admin', 'system:masters');
    const path = '/api/v1/namespaces';
    await ask(port, path, ca, { ...admin, method: 'POST', body: '{"metadata":{"name":"a"}}' });
    await ask(port, `${path}/a`, ca, { ...admin, method: 'DELETE' });
    await ask(port, '/readyz', ca, admin);
    const [status, body] = await ask(port, `${path}/a`, ca, admin);
    expect([status, JSON.parse(body).status.phase]).toEqual([200, 'Terminating']);
  });

  it('end with 0 on SIGTERM', async () => {
    const { etcd, server } = await controlPlane(await assets('end'), 'end-c');
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    etcd.child.kill('SIGTERM');
    expect(await etcd.ended).toBe(0);
  });

  it('make a certificate in --cert-dir if it has none', async () => {
    const directory = await assets('fresh');
    const [folder, port] = [join(dir, 'fresh-c'), await freePort()];
    start(join(directory, 'kube-apiserver'), '--cert-dir', folder, '--secure-port', String(port));
    const ca = await eventually('a certificate', () => readFile(join(folder, 'apiserver.crt'), 'utf8'));
    await eventually('/readyz, trusting that file', async () => {
      const [status] = await ask(port, '/readyz', ca).catch(() => [0]);
      return status === 200;
    });
  });
});
