// Stands in for etcd: healthy, without data. The API server beside it recognizes it and keeps its data in
// memory. It remembers which API servers have used it: one that is started again would expect the data of its
// predecessor, so it is refused rather than started empty.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { endWithParent } from '../end-with-parent.ts';
import { type EtcdAddress, parseEtcdFlags } from './etcd-flags.ts';
import { CLAIM_PATH, STAND_IN } from './stand-in.ts';

const MAX_CLAIMS = 1000;

export async function standInForEtcd(args: readonly string[]): Promise<void> {
  endWithParent('always');
  const addresses = parseEtcdFlags(args);
  if (typeof addresses === 'string') return fail(addresses);
  const handler = etcdHandler();
  const servers = addresses.map((address) => listening(handler, address));
  const end = (): void => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
    process.exit(0);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

function listening(handler: RequestListener, { host, port }: EtcdAddress): Server {
  const server = createServer(handler);
  server.once('error', (error) => fail(error.message));
  return server.listen(port, host);
}

function fail(message: string): void {
  process.stderr.write(`error: ${message}\n`);
  process.exit(1);
}

/** Answers /health and /version as etcd does, and claims. */
export function etcdHandler(): RequestListener {
  const claimed = new Set<string>();
  return (request, response) => {
    const { status, body } = answerTo(request, claimed);
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

function answerTo({ method, url = '/' }: IncomingMessage, claimed: Set<string>): Answer {
  const { pathname, searchParams } = new URL(url, 'http://etcd');
  if (pathname === '/health' || pathname === '/readyz' || pathname === '/livez')
    return { status: 200, body: { health: 'true', reason: '' } };
  if (pathname === '/version') return { status: 200, body: { etcdserver: STAND_IN, etcdcluster: STAND_IN } };
  if (method === 'POST' && pathname === CLAIM_PATH) return claim(searchParams.get('prefix') ?? '', claimed);
  return { status: 404, body: { error: 'this etcd only stands in for one, and stores nothing' } };
}

function claim(prefix: string, claimed: Set<string>): Answer {
  if (claimed.has(prefix)) return { status: 409, body: { error: 'claimed before' } };
  if (claimed.size >= MAX_CLAIMS) return { status: 429, body: { error: 'claimed too often' } };
  claimed.add(prefix);
  return { status: 200, body: {} };
}
