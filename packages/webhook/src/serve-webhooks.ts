// A host of webhooks: one HTTPS port, reviews by path, health, metrics, certificates that renew themselves,
// graceful shutdown.

import { addProcessMetrics, MetricsRegistry, SILENT, SpareMemory } from '@instar/serving';
import { DEFAULT_LIMITS, DEFAULT_PORT } from './defaults/index.ts';
import { Host } from './host.ts';
import { HEALTH_PATHS } from './http/health.ts';
import { InFlight } from './http/in-flight.ts';
import { reviewHandler } from './http/review-handler.ts';
import { HostMetrics } from './metrics.ts';
import type { HostOptions, WebhookHost } from './options.ts';
import { openClientCa } from './tls/client-ca.ts';
import { openFilesTls } from './tls/files-tls.ts';
import { openSelfManagedTls } from './tls/self-managed-tls.ts';

/**
 * Resolves when it serves. Rejects if the options are invalid, the certificates cannot be read or made, or
 * the port cannot be opened.
 */
export async function serveWebhooks(options: HostOptions): Promise<WebhookHost> {
  checkPaths(options);
  const { log = SILENT, metrics: registry = new MetricsRegistry(), tls, clientCaFile, listen = {} } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const inFlight = new InFlight(limits);
  const metrics = new HostMetrics(registry, () => inFlight.count);
  const processMetrics = options.metrics === undefined ? addProcessMetrics(registry) : undefined;
  try {
    const source =
      'selfManaged' in tls
        ? await openSelfManagedTls(tls.selfManaged, log, metrics)
        : await openFilesTls(tls, log);
    const clientCa = await openClientCa(clientCaFile, log);
    const shared = {
      limits,
      needsClientCertificate: clientCaFile !== undefined,
      inFlight,
      memory: new SpareMemory(),
      metrics,
      log,
    };
    const handlers = new Map(
      Object.entries(options.webhooks).map(([path, webhook]) => [path, reviewHandler(path, webhook, shared)]),
    );
    const host = new Host({ ...shared, registry, processMetrics, source, clientCa, handlers });
    await host.open(listen.host, listen.port ?? DEFAULT_PORT);
    return host;
  } catch (error) {
    inFlight.stop();
    processMetrics?.stop();
    throw error;
  }
}

function checkPaths({ webhooks }: HostOptions): void {
  const paths = Object.keys(webhooks);
  if (paths.length === 0) throw new Error('there are no webhooks to serve');
  for (const path of paths) {
    if (!path.startsWith('/') || /[?#]/.test(path))
      throw new Error(`${JSON.stringify(path)} is not a path of a webhook: it must start with a slash`);
    if (HEALTH_PATHS.includes(path)) throw new Error(`${path} is taken: the host answers it itself`);
  }
}
