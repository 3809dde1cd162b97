// A real kube-apiserver over an etcd of its own, to measure beside: KUBE_APISERVER names the program.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const READY_SECONDS = 120;

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** `isReady(url)` asks whether it answers. */
export async function kubeApiserver(program, tokens, flags, isReady) {
  const folder = mkdtempSync(join(tmpdir(), 'instar-bench-kube-'));
  const [client, peer, secure] = await Promise.all([freePort(), freePort(), freePort()]);
  const address = (port) => `http://127.0.0.1:${port}`;
  const key = join(folder, 'sa.key');
  spawnSync('openssl', ['genrsa', '-out', key, '2048'], { stdio: 'ignore' });
  const tokenFile = join(folder, 'tokens.csv');
  writeFileSync(tokenFile, tokens);
  const quiet = { stdio: 'ignore' };
  const etcd = spawn(
    'etcd',
    [
      ...['--data-dir', join(folder, 'etcd'), '--listen-peer-urls', address(peer), '--log-level', 'error'],
      ...['--listen-client-urls', address(client), '--advertise-client-urls', address(client)],
    ],
    quiet,
  );
  const server = spawn(
    program,
    [
      ...[`--etcd-servers=${address(client)}`, `--secure-port=${secure}`, '--bind-address=127.0.0.1'],
      ...[`--cert-dir=${join(folder, 'certs')}`, `--token-auth-file=${tokenFile}`, '--v=0'],
      ...[`--service-account-key-file=${key}`, `--service-account-signing-key-file=${key}`],
      ...['--service-account-issuer=https://bench', '--disable-admission-plugins=ServiceAccount', ...flags],
    ],
    quiet,
  );
  // Also when the benchmark fails or is ended.
  process.once('exit', () => [server, etcd].map((child) => child.kill()));
  process.once('SIGTERM', () => process.exit(1));
  const url = `https://127.0.0.1:${secure}`;
  for (let second = 0; !(await isReady(url)); second++) {
    if (second === READY_SECONDS || server.exitCode !== null)
      throw new Error(`${program} does not get ready`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  const ended = (child) => new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    const all = [server, etcd].map(ended);
    server.kill();
    etcd.kill();
    await Promise.all(all);
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, pid: server.pid, stop };
}
