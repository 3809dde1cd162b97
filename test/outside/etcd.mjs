// An etcd for suites that look into it themselves.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';

const START_MS = 60_000;

/** Resolves when it answers. Its data are gone with the suite. */
export async function etcdFor(context) {
  const [client, peer] = [await freePort(), await freePort()];
  const [url, peerUrl] = [client, peer].map((port) => `http://127.0.0.1:${port}`);
  const child = spawn(
    'etcd',
    [
      ...['--data-dir', join(context.folder, 'etcd'), '--unsafe-no-fsync', '--log-level', 'error'],
      ...['--listen-client-urls', url, '--advertise-client-urls', url],
      ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
      ...['--initial-cluster', `default=${peerUrl}`],
    ],
    { stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  const deadline = Date.now() + START_MS;
  while (!(await isHealthy(url))) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error('etcd does not start');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    url,
    async close() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function isHealthy(url) {
  try {
    return (await fetch(`${url}/health`)).ok;
  } catch {
    return false;
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
