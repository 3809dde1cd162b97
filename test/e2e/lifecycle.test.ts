// The command from start to end, and the controllers of the server: the content of namespaces and the
// dependents of owners are deleted.
import { spawn } from 'node:child_process';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, freePort, temporaryFolder } from '@instar/testing';
import { type ApiAnswer, ApiClient } from '@instar/testing/api';
import { Run, ServerProcess } from '@instar/testing/command';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SECRETS = '/api/v1/namespaces/default/secrets';
const isGone = ({ status }: ApiAnswer): boolean => status === 404;

describe('the end of a server', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'after %s has exit code 0, and watches end properly',
    async (signal) => {
      const server = await ServerProcess.start({ storage: 'lmdb' });
      const client = new ApiClient(await server.access());
      try {
        const watches = Array.from({ length: 20 }, (_, at) =>
          drain(client.watch(`/api/v1/secrets?watch=1&n=${at}`)),
        );
        const added = await client.send('POST', SECRETS, { metadata: { name: 'last' } });
        expect(added.status).toBe(201);
        expect(await server.stop(signal)).toBe(0);
        for (const events of await Promise.all(watches))
          expect(events.map(({ type }) => type)).toEqual(['ADDED']);
      } finally {
        await client.close();
        await server.remove();
      }
    },
  );

  it.each([
    ['npm start', ['npm', 'start', '--ignore-scripts', '--']],
    ['npx', ['npx', '--no-install', 'instar', 'serve']],
  ] as const)('comes when %s gets SIGTERM', async (_, [program, ...args]) => {
    const folder = temporaryFolder(onTestFinished);
    const port = await freePort();
    const flags = ['--data-dir', folder, '--storage', 'memory:', '--port', String(port)];
    // In its own process group, so that no process is left if this fails.
    const child = spawn(program, [...args, ...flags], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    try {
      await new Promise<void>((resolve, reject) => {
        child.stdout.on('data', (chunk: Buffer) => chunk.includes('ready https://') && resolve());
        child.once('exit', (code) => reject(new Error(`the server exited with ${code}`)));
      });
      child.kill('SIGTERM');
      await eventually('the port to be free', () => isFree(port));
    } finally {
      endGroup(child.pid!);
    }
  });

  it('leaves no temporary files in the data directory', async () => {
    const server = await ServerProcess.start({ storage: 'lmdb' });
    await server.stop();
    const names = await readdir(server.dataDir);
    expect(names.filter((name) => /tmp|lock|~$/.test(name))).toEqual([]);
    await server.remove();
  });
});

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All processes have ended.
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

async function drain<T>(from: AsyncGenerator<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of from) all.push(one);
  return all;
}

describe('a start fails with a reason in one line and an exit code other than 0', () => {
  const dir = temporaryFolder();
  let taken: Server;
  let port: number;
  beforeAll(async () => {
    taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    port = (taken.address() as { port: number }).port;
    await writeFile(join(dir, 'file'), '');
    await mkdir(join(dir, 'readonly'));
    await chmod(join(dir, 'readonly'), 0o500);
    await mkdir(join(dir, 'foreign', 'store'), { recursive: true });
    await mkdir(join(dir, 'empty', 'store'), { recursive: true });
    await writeFile(join(dir, 'empty', 'store', 'data.mdb'), '');
    await writeFile(join(dir, 'foreign', 'store', 'data.mdb'), 'this is no database'.repeat(1000));
  });
  afterAll(async () => {
    taken.close();
  });
  const refused = async (...flags: string[]): Promise<string> => {
    const run = new Run('serve', ...flags);
    expect(await run.ended, run.stdout + run.stderr).toBe(1);
    expect(run.stdout).toBe('');
    expect(run.stderr).toMatch(/^error: /);
    expect(run.stderr).not.toMatch(/\n {4}at /);
    return run.stderr;
  };

  it('for an unknown flag', async () => {
    expect(await refused('--data-dir', join(dir, 'a'), '--prot', '1')).toContain("unknown option '--prot'");
  });
  it('for a port that is taken', async () => {
    expect(await refused('--data-dir', join(dir, 'a'), '--port', String(port))).toContain(`port ${port}`);
  });
  it('for an address of another host', async () => {
    expect(
      await refused('--data-dir', join(dir, 'a'), '--port', '0', '--bind-address', '192.0.2.1'),
    ).toContain('192.0.2.1');
  });
  it('for a data directory that is a file', async () => {
    expect(await refused('--data-dir', join(dir, 'file'), '--port', '0')).toContain(join(dir, 'file'));
  });
  // root may write everywhere.
  it.skipIf(process.getuid?.() === 0)('for a data directory that is not writable', async () => {
    expect(await refused('--data-dir', join(dir, 'readonly', 'x'), '--port', '0')).toContain(
      join(dir, 'readonly'),
    );
  });
  it('for a data file that is not a store', async () => {
    expect(await refused('--data-dir', join(dir, 'foreign'), '--port', '0')).toContain(
      join(dir, 'foreign', 'store'),
    );
  });
  it('for an empty data file', async () => {
    expect(await refused('--data-dir', join(dir, 'empty'), '--port', '0')).toContain(
      `${join(dir, 'empty', 'store', 'data.mdb')} cannot be used: it is empty (0 bytes)`,
    );
  });
  it('for a missing token file', async () => {
    expect(
      await refused('--data-dir', join(dir, 'a'), '--port', '0', '--token-auth-file', join(dir, 'none')),
    ).toContain(join(dir, 'none'));
  });
  it('for a data directory that another server uses, which is not affected', async () => {
    const server = await ServerProcess.start({ storage: 'lmdb' });
    const client = new ApiClient(await server.access());
    expect(await refused('--data-dir', server.dataDir, '--port', '0')).toMatch(/in use|another/);
    expect((await client.send('POST', SECRETS, { metadata: { name: 'still' } })).status).toBe(201);
    await client.close();
    await server.remove();
  });
});

describe('a restart', () => {
  it('keeps data, certificates, the admin token and the mode of the kubeconfig', async () => {
    const server = await ServerProcess.start({ storage: 'lmdb' });
    const access = await server.access();
    const first = new ApiClient(access);
    const { body: made } = await first.send('POST', SECRETS, {
      metadata: { name: 'kept' },
      data: { a: 'MQ==' },
    });
    const { body: before } = await first.send('GET', SECRETS);
    await first.close();
    await server.restart();
    expect(await server.access()).toEqual(access);
    expect((await stat(server.kubeconfig)).mode & 0o777).toBe(0o600);
    const client = new ApiClient(access);
    expect((await client.send('GET', `${SECRETS}/kept`)).body).toEqual(made);
    const { body: after } = await client.send('GET', SECRETS);
    expect(after.items).toEqual(before.items);
    expect(Number(after.metadata.resourceVersion)).toBeGreaterThanOrEqual(
      Number(before.metadata.resourceVersion),
    );
    await client.close();
    await server.remove();
  });

  it('finishes the deletion of a namespace that was in progress', async () => {
    const server = await ServerProcess.start({ storage: 'lmdb' });
    let client = new ApiClient(await server.access());
    await client.send('POST', '/api/v1/namespaces', { metadata: { name: 'leaving' } });
    for (let at = 0; at < 30; at++)
      await client.send('POST', '/api/v1/namespaces/leaving/secrets', { metadata: { name: `m${at}` } });
    await client.send('DELETE', '/api/v1/namespaces/leaving');
    await client.close();
    await server.kill();
    await server.startAgain();
    client = new ApiClient(await server.access());
    await eventually('the namespace to go', () => client.send('GET', '/api/v1/namespaces/leaving'), {
      holds: isGone,
    });
    expect((await client.send('GET', '/api/v1/secrets')).body.items).toEqual([]);
    await client.close();
    await server.remove();
  });
});

describe('the server', () => {
  let server: ServerProcess;
  let client: ApiClient;
  beforeAll(async () => {
    server = await ServerProcess.start();
    client = new ApiClient(await server.access());
  });
  afterAll(async () => {
    await client.close();
    await server.remove();
  });
  const get = (name: string) => client.send('GET', `${SECRETS}/${name}`);
  const gone = (name: string) => eventually(`${name} to go`, () => get(name), { holds: isGone });

  it('deletes a namespace only when it is empty, even of objects with finalizers', async () => {
    const maps = '/api/v1/namespaces/busy/secrets';
    await client.send('POST', '/api/v1/namespaces', { metadata: { name: 'busy' } });
    await client.send('POST', maps, { metadata: { name: 'held', finalizers: ['example.com/hold'] } });
    await client.send('POST', '/api/v1/namespaces/busy/secrets', { metadata: { name: 'free' } });
    const { body: leaving } = await client.send('DELETE', '/api/v1/namespaces/busy');
    expect(leaving.status).toMatchObject({ phase: 'Terminating' });
    const refused = await client.send('POST', maps, { metadata: { name: 'late' } });
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'secrets "late" is forbidden: unable to create new content in namespace busy because it is being terminated',
    ]);
    const namespace = () => client.send('GET', '/api/v1/namespaces/busy');
    const free = () => client.send('GET', '/api/v1/namespaces/busy/secrets/free');
    await eventually('the secret without finalizers to go', free, { holds: isGone });
    await eventually('the condition that finalizers remain', namespace, {
      holds: ({ body }) => JSON.stringify(body.status).includes('NamespaceFinalizersRemaining'),
    });
    await client.send('PATCH', `${maps}/held`, { metadata: { finalizers: null } });
    await eventually('the namespace to go', namespace, { holds: isGone });
  });

  const family = async (name: string): Promise<void> => {
    const { body: owner } = await client.send('POST', SECRETS, { metadata: { name } });
    const reference = {
      apiVersion: 'v1',
      kind: 'Secret',
      name,
      uid: owner.metadata.uid,
      blockOwnerDeletion: true,
    };
    const { body: child } = await client.send('POST', SECRETS, {
      metadata: { name: `${name}-child`, ownerReferences: [reference] },
    });
    const below = { ...reference, name: `${name}-child`, uid: child.metadata.uid };
    await client.send('POST', SECRETS, {
      metadata: { name: `${name}-grandchild`, ownerReferences: [below] },
    });
  };
  const remove = (name: string, propagationPolicy: string) =>
    client.send('DELETE', `${SECRETS}/${name}`, { propagationPolicy });

  it('deletes dependents in the background', async () => {
    await family('background');
    expect((await remove('background', 'Background')).status).toBe(200);
    expect((await get('background')).status).toBe(404);
    await gone('background-child');
    await gone('background-grandchild');
  });

  it('deletes dependents first in the foreground', async () => {
    await family('foreground');
    await client.send('PATCH', `${SECRETS}/foreground-child`, {
      metadata: { finalizers: ['example.com/hold'] },
    });
    expect((await remove('foreground', 'Foreground')).body.metadata.finalizers).toEqual([
      'foregroundDeletion',
    ]);
    await eventually('the child to be deleted', () => get('foreground-child'), {
      holds: ({ body }) => body.metadata.deletionTimestamp !== undefined,
    });
    expect((await get('foreground')).status).toBe(200);
    await client.send('PATCH', `${SECRETS}/foreground-child`, { metadata: { finalizers: null } });
    await gone('foreground');
    expect((await get('foreground-child')).status).toBe(404);
    await gone('foreground-grandchild');
  });

  it('does not delete orphans', async () => {
    await family('orphan');
    await remove('orphan', 'Orphan');
    await gone('orphan');
    const child = await eventually('the child to lose its owner', () => get('orphan-child'), {
      holds: ({ body }) => body.metadata.ownerReferences === undefined,
    });
    expect(child.status).toBe(200);
    expect((await get('orphan-grandchild')).body.metadata.ownerReferences).toHaveLength(1);
  });

  it('keeps objects that have another owner', async () => {
    const owners = await Promise.all(
      ['mother', 'father'].map((name) => client.send('POST', SECRETS, { metadata: { name } })),
    );
    const ownerReferences = owners.map(({ body }) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      name: body.metadata.name,
      uid: body.metadata.uid,
    }));
    await client.send('POST', SECRETS, { metadata: { name: 'kid', ownerReferences } });
    await remove('mother', 'Background');
    await eventually('one owner to be left', () => get('kid'), {
      holds: ({ body }) => body.metadata.ownerReferences?.length === 1,
    });
    await remove('father', 'Background');
    await gone('kid');
  });
});
