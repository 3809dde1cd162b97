// /healthz, /readyz and /metrics of the labeller, over plain HTTP inside the pod's network: nothing in them
// is secret.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MetricsRegistry } from '@instar/serving';

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves health checks and metrics of the labeling controller. */
export async function serveHealth(
  listen: { host?: string; port: number },
  metrics: MetricsRegistry,
): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0];
    if (path === '/metrics') answer(response, 200, metrics.print(), 'text/plain; version=0.0.4');
    else if (path === '/healthz' || path === '/livez' || path === '/readyz') answer(response, 200, 'ok\n');
    else answer(response, 404, 'not found\n');
  });
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(listen.port, listen.host, resolve),
  );
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(response: ServerResponse, code: number, text: string, type = 'text/plain'): void {
  response.writeHead(code, { 'content-type': type }).end(text);
}
