// Connects everything: storage, resources, admission, watches, controllers, discovery and the HTTP pipeline.
// It has no logic of its own.

import { ApiError } from '@instar/machinery';
import { inUrl } from '@instar/serving';
import type { Store } from '@instar/store';
import { disabledPlugins } from './api/admission-plugins.ts';
import { type ApiServer, startApiServer } from './api/api-server.ts';
import { openAudit } from './api/audit/open-audit.ts';
import { forServerOnly } from './api/auth/authentication/audiences.ts';
import { bootstrapTokens, type ReadSecret } from './api/auth/authentication/bootstrap-tokens.ts';
import { reviewResources } from './api/auth/reviews.ts';
import { openSecurity } from './api/auth/security.ts';
import {
  openServiceAccounts,
  type ServiceAccounts,
} from './api/auth/service-accounts/open-service-accounts.ts';
import { discoveryRoutes, servedPaths } from './api/discovery/routes.ts';
import { fairnessRoutes } from './api/fairness/dump.ts';
import { FlowControl } from './api/fairness/flow-control.ts';
import { checkFeatureGates, WEBHOOK_CONVERSION } from './api/feature-gates.ts';
import { resourceHandler } from './api/handlers/dispatch.ts';
import type { HealthCheck } from './api/health/checks.ts';
import { INSTAR_VERSION } from './api/health/version.ts';
import { createServerMetrics, type ServerMetrics } from './api/metrics/server-metrics.ts';
import { watchCounter } from './api/metrics/watch-counter.ts';
import { openApiRoutes } from './api/openapi/routes.ts';
import { type ResolvedOptions, resolveOptions, type ServerOptions } from './api/options.ts';
import { checkRuntimeConfig } from './api/runtime-config.ts';
import { bootstrapObjects } from './kinds/bootstrap.ts';
import { customResourceDefinitions } from './kinds/builtin/custom-resource-definition.ts';
import { withoutWebhookConversion } from './kinds/builtin/custom-resource-definition-without-webhooks.ts';
import { events } from './kinds/builtin/event.ts';
import { bindings } from './kinds/builtin/pod/pod-binding.ts';
import { defineServices, services as serviceDefinition } from './kinds/builtin/service.ts';
import { serviceAccounts as serviceAccountDefinition } from './kinds/builtin/service-account.ts';
import { withTokens } from './kinds/builtin/service-account-token.ts';
import { parseServiceRanges, type ServiceRanges } from './kinds/builtin/service-cluster-ips.ts';
import { builtinDefinitions } from './kinds/index.ts';
import type { ResourceDefinition } from './objects/definition.ts';
import { FormBudget } from './objects/forms/form-budget.ts';
import { ResourceRegistry } from './objects/registry.ts';
import type { Resource } from './objects/resource.ts';
import { WatchService } from './objects/watch/watch-service.ts';
import { createObject } from './objects/write/create.ts';
import { AdmissionChain } from './parts/admission/chain.ts';
import { WebhookConnections } from './parts/admission/webhook-connections.ts';
import { bootstrapCluster } from './parts/bootstrap/bootstrap-cluster.ts';
import { openReports } from './parts/census/reports.ts';
import { openSigning } from './parts/certificates/open-signing.ts';
import { checkControllers } from './parts/cluster/controller-names.ts';
import { kubernetesService } from './parts/cluster/kubernetes-service.ts';
import { switchableControllers } from './parts/cluster/switchable-controllers.ts';
import { ElectedControllers } from './parts/controllers/elected-controllers.ts';
import { internalWrite } from './parts/controllers/internal-writes.ts';
import { markTokensUsed } from './parts/controllers/mark-token-used.ts';
import { Converters } from './parts/custom/converters.ts';
import { CrdController } from './parts/custom/crd-controller.ts';
import { Preflight, withPreflight } from './parts/custom/preflight.ts';
import { FlowSchemaStatus } from './parts/fairness/flow-schema-status.ts';
import { FollowedFlowControl } from './parts/fairness/followed-flow-control.ts';
import { FlowControlMaintenance, maintainFlowControl } from './parts/fairness/maintain-flow-control.ts';
import { LensController } from './parts/lenses/lens-controller.ts';
import { lensDefinition } from './parts/lenses/lens-definition.ts';
import { Lenses } from './parts/lenses/lenses.ts';
import { withAuthorization } from './parts/rbac/guarded-writes.ts';
import { openAuthorization } from './parts/rbac/open-authorization.ts';
import { serviceAddresses } from './parts/webhooks/service-addresses.ts';
import { WebhookClients } from './parts/webhooks/webhook-clients.ts';
import { Teardown } from './teardown.ts';
import { keysBelow } from './wire/defaults/index.ts';
import { negotiatedStatus } from './wire/respond.ts';

/** An API server that accepts requests. */
export type RunningServer = ApiServer;

const MAX_LOG_EVENTS = 1024;
const MAX_LOG_BYTES = 4 * 1024 * 1024;
const MAX_QUEUED_EVENTS = 1000;
const BOOKMARK_INTERVAL_MS = 60_000;

/** Resolves when the server is ready. Closing it also closes the store; so does a failed start. */
export async function startServer(given: ServerOptions): Promise<RunningServer> {
  const teardown = new Teardown();
  try {
    return await start(resolveOptions(given), teardown);
  } catch (error) {
    await teardown.run().catch(() => {});
    throw error;
  }
}

async function start(options: ResolvedOptions, teardown: Teardown): Promise<RunningServer> {
  teardown.add(() => options.storage.close());
  teardown.add(() => options.encryption?.close());
  checkFeatureGates(options.featureGates, options.log);
  const disabled = disabledPlugins(options.enableAdmissionPlugins, options.disableAdmissionPlugins);
  const wrong = checkControllers(options.controllers);
  if (wrong !== undefined) throw new Error(`controllers: ${wrong}`);
  checkRuntimeConfig(options.runtimeConfig, builtinVersions());
  const serviceAccounts = await openServiceAccounts(options);
  const registry = registryOf(options, serviceAccounts);
  teardown.add(() => {
    for (const resource of registry.all()) resource.cache.stop();
  });
  const namespaces = registry.get('', 'namespaces')!;
  const metrics = createServerMetrics(
    ({ group, version, resource }) => registry.find(group, version, resource) !== undefined,
  );
  teardown.add(() => metrics.stop());
  const authorization = openAuthorization({
    registry,
    modes: options.authorizationModes,
    follow: options.followAuthorization,
    metrics: metrics.registry,
    log: options.log,
  });
  teardown.add(() => authorization.stop());
  const security = await openSecurity(options, authorization.authorizer, [
    serviceAccounts.authenticator(registry, markTokensUsed(registry, options.log)),
    ...(options.bootstrapTokenAuth
      ? [forServerOnly(options.apiAudiences, bootstrapTokens(secretsOfSystem(registry)))]
      : []),
  ]);
  for (const review of reviewResources(security.authenticator, security.authorizer))
    registry.addVirtual(review);
  registry.addVirtual(bindings);
  const auditing = options.audit && (await openAudit(options.audit, metrics.audit, options.log));
  teardown.add(() => auditing?.backend.close());
  const watches = new WatchService({
    maxWatches: options.limits.maxWatches,
    maxQueuedEvents: MAX_QUEUED_EVENTS,
    maxPendingBytes: options.limits.maxPendingWatchBytes,
    bookmarkIntervalMs: BOOKMARK_INTERVAL_MS,
    minTimeoutMs: options.limits.minRequestTimeoutMs,
    counter: watchCounter(metrics.watches),
    onFailure: ({ prefix }, error) => options.log.error({ prefix, err: error }, 'a watch failed'),
  });
  teardown.add(() => watches.close());
  const hasData = await bootstrap(namespaces);
  await authorization.start(hasData);
  await bootstrapCluster(registry, serviceRangesOf(options));
  await maintainFlowControl(registry);
  const flowControl = openFlowControl(options, registry, metrics);
  if (flowControl !== undefined) {
    const followed = new FollowedFlowControl(registry, flowControl, options.log);
    teardown.add(() => followed.stop());
    await followed.start();
  }
  const webhooks = new WebhookClients(
    serviceAddresses(registry, options.serviceResolver),
    `instar/${INSTAR_VERSION}`,
  );
  teardown.add(() => webhooks.close());
  const lensResource = registry.define(lensDefinition);
  const lenses = new Lenses(lensResource, options.log);
  teardown.add(() => lenses.stop());
  await lenses.start();
  const converters = new Converters(webhooks, metrics.conversions, {
    webhooksAllowed: allowsWebhookConversion(options),
    lenses,
  });
  const crds = registry.get('apiextensions.k8s.io', 'customresourcedefinitions')!;
  const definitions = new CrdController(registry, crds, converters, options.log);
  lenses.onChange((crd) => definitions.requeue(crd));
  teardown.add(() => definitions.stop());
  const { isShared = false } = options.storage;
  if (isShared) definitions.decisions.stop();
  await definitions.start();
  const reports = await openReports({
    registry,
    crds,
    metrics: metrics.registry,
    dataDir: options.dataDir,
    log: options.log,
  });
  teardown.add(() => reports.stop());
  const signing = await openSigning(options, security.tls);
  const admission = new AdmissionChain({
    registry,
    authorizer: security.authorizer,
    connections: new WebhookConnections(webhooks),
    disabled,
    configurations: options.admissionConfiguration,
    metrics: metrics.admission,
    log: options.log,
  });
  teardown.add(() => admission.stop());
  await admission.start();
  const conversionWaited = ({ definition: { names, group } }: Resource, milliseconds: number) =>
    metrics.conversions.perRequest.with(`${names.plural}.${group}`).observe(milliseconds / 1000);
  const services = {
    registry,
    watches,
    admission: withAuthorization(
      withPreflight(admission, crds, new Preflight(registry, converters)),
      security.authorizer,
      authorization.roles.index,
    ),
    now: Date.now,
    conversionWaited,
    versionUsed: reports.versionUsed,
    watchOpened: reports.watchOpened,
  };
  const server: ApiServer = await startApiServer(options, {
    security,
    metrics,
    flowControl,
    handleResource: resourceHandler(services),
    routes: {
      ...discoveryRoutes(registry),
      ...openApiRoutes(registry),
      ...serviceAccounts.routes(() => hostOf(options, server)),
      ...(flowControl && fairnessRoutes(flowControl)),
    },
    renderStatus: negotiatedStatus,
    auditing,
    servedPaths: () => servedPaths(registry),
    healthChecks: [
      { name: 'etcd', check: () => checkStorage(options.storage) },
      { name: 'etcd-readiness', check: () => checkStorage(options.storage), endpoints: ['readyz'] },
      ...encryptionChecks(options),
      ...startHooks({ namespaces, crds }),
      ...authorization.healthChecks,
    ],
  });
  const makeOwnService = () => kubernetesService(registry, options, server.port);
  if (!isShared) {
    const ownService = makeOwnService();
    teardown.add(() => ownService.stop());
    await ownService.start();
  }
  const controllers = new ElectedControllers({
    leases: isShared ? registry.get('coordination.k8s.io', 'leases') : undefined,
    log: options.log,
    make: () => [
      ...(isShared ? [definitions.decisions, makeOwnService()] : []),
      ...switchableControllers(
        {
          registry,
          log: options.log,
          censuses: reports.censuses,
          signing,
          caCertificate: security.tls.caCertificate,
        },
        options.controllers,
      ),
      new LensController(lenses, lensResource, crds, (crd) => definitions.settled(crd), options.log),
      new FlowControlMaintenance(registry, options.log),
      new FlowSchemaStatus(registry, options.log),
    ],
  });
  controllers
    .start()
    .catch((error: unknown) => options.log.error({ err: error }, 'the controllers could not start'));
  teardown.add(() => controllers.stop());
  teardown.add(() => server.close());
  return { ...server, close: () => teardown.run() };
}

/** Undefined: it is switched off, or there is no limit to share. */
function openFlowControl(
  { priorityAndFairness, limits }: ResolvedOptions,
  registry: ResourceRegistry,
  metrics: ServerMetrics,
): FlowControl | undefined {
  const seats = limits.maxRequestsInflight + limits.maxMutatingRequestsInflight;
  if (!priorityAndFairness || seats === 0) return undefined;
  return new FlowControl({
    seats,
    metrics: metrics.registry,
    objectCount: ({ group, version, resource }) =>
      registry.find(group, version, resource)?.resource.cache.size ?? 0,
  });
}

/** The check of kube-apiserver for all key management services together. */
const encryptionChecks = ({ encryption }: ResolvedOptions): HealthCheck[] =>
  encryption?.isChecked !== true ? [] : [{ name: 'kms-providers', check: () => encryption.check() }];

/**
 * The hooks of kube-apiserver that have a counterpart here, by its names: monitoring asks for them. All of
 * them are done before the port opens; what can be lost later is checked.
 */
function startHooks(resources: Readonly<Record<'namespaces' | 'crds', Resource>>): HealthCheck[] {
  const isCurrent = async ({ cache }: Resource): Promise<void> => cache.waitUntilStarted();
  return [
    {
      name: 'informer-sync',
      check: async () => {
        await isCurrent(resources.namespaces);
        await isCurrent(resources.crds);
      },
      endpoints: ['readyz'],
    },
    { name: 'poststarthook/start-apiextensions-informers', check: () => isCurrent(resources.crds) },
    { name: 'poststarthook/start-apiextensions-controllers', check: () => {} },
    { name: 'poststarthook/crd-informer-synced', check: () => isCurrent(resources.crds) },
    { name: 'poststarthook/priority-and-fairness-config-consumer', check: () => {} },
    { name: 'poststarthook/priority-and-fairness-config-producer', check: () => {} },
    {
      name: 'poststarthook/start-system-namespaces-controller',
      check: () => isCurrent(resources.namespaces),
    },
  ];
}

/** HOST:PORT for others, as far as it is known. */
const hostOf = ({ externalHostname }: ResolvedOptions, { url, port }: ApiServer): string => {
  if (externalHostname === undefined) return new URL(url).host;
  return /:\d+$/.test(externalHostname) ? externalHostname : `${inUrl(externalHostname)}:${port}`;
};

async function checkStorage(storage: Store): Promise<void> {
  await storage.currentRevision();
  if (storage.fault !== undefined) throw storage.fault;
}

/** Events expire after the time that the operator sets. */
function eventsWithTtl(ttlSeconds: number): ResourceDefinition {
  return { ...events, strategy: { ...events.strategy, ttlSeconds: () => ttlSeconds } };
}

/** Applies the options that change built-in definitions. */
function configured(
  definition: ResourceDefinition,
  options: ResolvedOptions,
  serviceAccounts: ServiceAccounts,
): ResourceDefinition {
  if (definition === events) return eventsWithTtl(options.eventTtlSeconds);
  if (definition === serviceAccountDefinition) return withTokens(definition, serviceAccounts.issuer);
  if (definition === serviceDefinition) return defineServices(serviceRangesOf(options));
  if (definition === customResourceDefinitions && !allowsWebhookConversion(options))
    return withoutWebhookConversion(definition);
  return definition;
}

function serviceRangesOf({ serviceClusterIpRanges }: ResolvedOptions): ServiceRanges {
  const ranges = parseServiceRanges(serviceClusterIpRanges);
  if (typeof ranges === 'string') throw new Error(`the ranges of services: ${ranges}`);
  return ranges;
}

const allowsWebhookConversion = ({ featureGates }: ResolvedOptions): boolean =>
  featureGates[WEBHOOK_CONVERSION] !== false;

/** Each group with its versions, as --runtime-config names them. */
const builtinVersions = (): Set<string> =>
  new Set(
    builtinDefinitions.flatMap(({ group, versions }) =>
      versions.map(({ version }) => (group === '' ? version : `${group}/${version}`)),
    ),
  );

function registryOf(options: ResolvedOptions, serviceAccounts: ServiceAccounts): ResourceRegistry {
  const registry = new ResourceRegistry({
    store: options.storage,
    encryption: options.encryption,
    registryPrefix: keysBelow(options.etcdPrefix),
    maxLogEvents: MAX_LOG_EVENTS,
    maxLogBytes: MAX_LOG_BYTES,
    formBudget: new FormBudget(options.limits.maxConvertedBytes),
    strict: options.strict,
  });
  for (const definition of builtinDefinitions)
    registry.define(configured(definition, options, serviceAccounts));
  return registry;
}

/** Creates the namespaces that clients rely on. True: the storage had namespaces already. */
async function bootstrap(namespaces: Resource): Promise<boolean> {
  await namespaces.cache.waitUntilFresh();
  const hasData = [...namespaces.cache.values()].length > 0;
  for (const object of bootstrapObjects()) {
    const name = object.metadata.name!;
    if (namespaces.cache.get(namespaces.key('', name)) !== undefined) continue;
    const decoded = namespaces.version('v1')!.decode!(object as never);
    if ('error' in decoded) throw new Error(decoded.error);
    const write = internalWrite({ resource: namespaces, name });
    await createObject(write, { ...decoded.object, apiVersion: 'v1', kind: 'Namespace' } as never, {}).catch(
      (error: unknown) => {
        // Another server that starts over the same storage has created it first.
        if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error;
      },
    );
  }
  return hasData;
}

const secretsOfSystem = (registry: ResourceRegistry): ReadSecret => {
  const secrets = registry.get('', 'secrets')!;
  const read = (name: string) => secrets.cache.get(secrets.key('kube-system', name))?.parse();
  return (name) => {
    const started = secrets.cache.waitUntilStarted();
    return started === undefined ? read(name) : started.then(() => read(name));
  };
};
