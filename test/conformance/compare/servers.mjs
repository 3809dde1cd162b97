// Starts the two servers that are compared, each with an admin whose token is fixed.
import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, readKubeconfig } from '../recordings/lib/client.mjs';

const READY_WITHIN_MS = 180_000;
const TOKEN = 'compare-admin';
const SERVICE_ADDRESSES = '10.0.0.0/24';
/** Needs the controllers that do not run here. */
const DISABLED = 'ServiceAccount';

const freePort = () =>
  new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

function start(program, args, log) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const file = createWriteStream(log);
  child.stdout.pipe(file);
  child.stderr.pipe(file);
  child.once('error', (error) => {
    throw error;
  });
  return child;
}

async function untilReady(access, child, log) {
  const client = new Client(access);
  const end = Date.now() + READY_WITHIN_MS;
  while (Date.now() < end) {
    if (child.exitCode !== null) throw new Error(`a server ended with ${child.exitCode}: see ${log}`);
    const { status } = await client.request('GET', '/readyz').catch(() => ({ status: 0 }));
    if (status === 200) return;
    await sleep(100);
  }
  throw new Error(`a server was not ready in ${READY_WITHIN_MS / 1000} s: see ${log}`);
}

export async function startKubeApiserver(program, folder) {
  const at = (name) => path.join(folder, 'kube-apiserver', name);
  mkdirSync(at('etcd'), { recursive: true });
  const [clients, peers, port] = [await freePort(), await freePort(), await freePort()];
  const url = (of) => `http://127.0.0.1:${of}`;
  const etcd = start(
    'etcd',
    [
      ...['--data-dir', at('etcd'), '--unsafe-no-fsync', '--log-level', 'error'],
      ...['--listen-client-urls', url(clients), '--advertise-client-urls', url(clients)],
      ...['--listen-peer-urls', url(peers), '--initial-advertise-peer-urls', url(peers)],
      ...['--initial-cluster', `default=${url(peers)}`],
    ],
    at('etcd.log'),
  );
  execFileSync('openssl', ['genrsa', '-out', at('sa.key'), '2048'], { stdio: 'ignore' });
  writeFileSync(at('tokens.csv'), `${TOKEN},admin,admin,system:masters\n`);
  const child = start(
    program,
    [
      `--etcd-servers=${url(clients)}`,
      `--secure-port=${port}`,
      '--bind-address=127.0.0.1',
      `--cert-dir=${at('pki')}`,
      `--token-auth-file=${at('tokens.csv')}`,
      '--authorization-mode=RBAC',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${at('sa.key')}`,
      `--service-account-signing-key-file=${at('sa.key')}`,
      `--service-cluster-ip-range=${SERVICE_ADDRESSES}`,
      '--allow-privileged=true',
      `--disable-admission-plugins=${DISABLED}`,
    ],
    at('log'),
  );
  const stop = () => {
    child.kill('SIGKILL');
    etcd.kill('SIGKILL');
  };
  process.once('exit', stop);
  const access = { base: `https://127.0.0.1:${port}`, token: TOKEN };
  await untilReady(access, child, at('log'));
  return { access, stop };
}

export async function startInstar(folder) {
  const at = (name) => path.join(folder, 'instar', name);
  mkdirSync(at(''), { recursive: true });
  const command = fileURLToPath(new URL('../../../packages/cli/bundle/main.js', import.meta.url));
  const port = await freePort();
  const child = start(
    process.execPath,
    [
      ...[command, 'serve', '--storage', 'memory:', '--port', String(port), '--data-dir', at('data')],
      ...['--kubeconfig', at('kubeconfig'), `--service-cluster-ip-range=${SERVICE_ADDRESSES}`],
      `--disable-admission-plugins=${DISABLED}`,
    ],
    at('log'),
  );
  const stop = () => child.kill('SIGKILL');
  process.once('exit', stop);
  const ready = { base: `https://127.0.0.1:${port}` };
  await untilReady(ready, child, at('log'));
  // Written last.
  while (!existsSync(at('kubeconfig'))) await sleep(20);
  return { access: readKubeconfig(at('kubeconfig')), stop };
}
