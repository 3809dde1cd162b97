// What the server knows of the versions of custom resources: censuses, clients, their metrics, and the
// resources that show them.
import type { Log, MetricsRegistry } from '@instar/serving';
import type { RequestScope } from '../../api/handlers/request-scope.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import { addCensusMetrics } from './census-metrics.ts';
import { Censuses } from './censuses.ts';
import { CustomDefinitions, crdNameOf, isCustom } from './custom-definitions.ts';
import { storedVersionsResource } from './stored-versions-resource.ts';
import { recordUse } from './use-recorder.ts';
import { VersionClients } from './version-clients.ts';
import { keepVersionClients } from './version-clients-file.ts';
import { versionClientsResource } from './version-clients-resource.ts';

interface ReportsOptions {
  readonly registry: ResourceRegistry;
  readonly crds: Resource;
  readonly metrics: MetricsRegistry;
  /** Without it, nothing persists across restarts. */
  readonly dataDir: string | undefined;
  readonly log: Log;
}

interface Reports {
  readonly definitions: CustomDefinitions;
  readonly censuses: Censuses;
  versionUsed(scope: RequestScope): void;
  /** The returned function is called when the watch has ended. */
  watchOpened(scope: RequestScope): () => void;
  stop(): Promise<void>;
}

export async function openReports({
  registry,
  crds,
  metrics,
  dataDir,
  log,
}: ReportsOptions): Promise<Reports> {
  const clients = new VersionClients();
  const stopKeeping = dataDir === undefined ? undefined : await keepVersionClients(clients, dataDir, log);
  const definitions = new CustomDefinitions(registry, crds);
  const censuses = new Censuses(registry, log);
  registry.addVirtual(storedVersionsResource(definitions, censuses));
  registry.addVirtual(versionClientsResource({ clients, definitions, now: Date.now }));
  const stopForgetting = forgetWithDefinitions(registry, clients);
  addCensusMetrics(metrics, censuses);
  censuses.start().catch((error: unknown) => log.error({ err: error }, 'stored versions cannot be counted'));
  return {
    definitions,
    censuses,
    versionUsed(scope) {
      if (isCustom(scope.resource) && scope.request.info.verb !== 'watch') recordUse(clients, scope);
    },
    watchOpened: (scope) =>
      isCustom(scope.resource) ? clients.watch(recordUse(clients, scope), scope.services.now) : () => {},
    async stop() {
      censuses.stop();
      stopForgetting();
      await stopKeeping?.();
    },
  };
}

/** The clients of a definition are forgotten when it is deleted. */
function forgetWithDefinitions(registry: ResourceRegistry, clients: VersionClients): () => void {
  let known = new Set<string>();
  return registry.onChange(() => {
    const present = new Set([...registry.all()].filter(isCustom).map(crdNameOf));
    const deleted = [...known].filter((name) => !present.has(name));
    if (deleted.length > 0) clients.forget((crd) => deleted.includes(crd));
    known = present;
  });
}
