// Ports for servers that are restarted at the same address. A port chosen by the system is in the range of
// outgoing connections, so a client of another test could take it while the server is stopped.
import { createServer } from 'node:net';

const MIN_PORT = 20_000;
const MAX_PORT = 32_000;

export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  for (let tries = 0; ports.size < count; tries++) {
    if (tries === 1000) throw new Error(`no ${count} ports are free between ${MIN_PORT} and ${MAX_PORT}`);
    const port = MIN_PORT + Math.floor(Math.random() * (MAX_PORT - MIN_PORT));
    if (!ports.has(port) && (await isFree(port))) ports.add(port);
  }
  return [...ports];
}

/** A port of this machine that is free now. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port!;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
