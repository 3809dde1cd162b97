// Ports for what is stopped and started again at the same place. The system's own choice would not do: it
// lies among those that outgoing connections take, so that while nobody listens any client of any test may
// get it.
import { createServer } from 'node:net';

const LOWEST = 20_000;
const BELOW_OUTGOING = 32_000;

export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  for (let tries = 0; ports.size < count; tries++) {
    if (tries === 1000) throw new Error(`no ${count} ports are free between ${LOWEST} and ${BELOW_OUTGOING}`);
    const port = LOWEST + Math.floor(Math.random() * (BELOW_OUTGOING - LOWEST));
    if (!ports.has(port) && (await isFree(port))) ports.add(port);
  }
  return [...ports];
}

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
