// Builds the pipeline and listens: filters, routes, health, certificates, graceful shutdown. It does not know
// what a resource is.
import { inUrl, kubeconfigText, reachableAddress } from '@instar/serving';
import { chain } from '../wire/chain.ts';
import type { Filter, Handler } from '../wire/exchange.ts';
import { listen } from '../wire/listen.ts';
import { rootPaths } from '../wire/root-paths.ts';
import { type RouteTable, routePaths } from '../wire/router.ts';
import type { Auditing } from './audit/auditing.ts';
import type { Security } from './auth/security.ts';
import type { FlowControl } from './fairness/flow-control.ts';
import { AuditFilter } from './filters/audit.ts';
import { authenticateFilter } from './filters/authenticate.ts';
import { authorizeFilter } from './filters/authorize.ts';
import { addCommonHeaders } from './filters/common-headers.ts';
import { compress } from './filters/compress.ts';
import { deadlineFilter } from './filters/deadline.ts';
import { errorAnswers, type StatusRenderer } from './filters/errors.ts';
import { fairnessFilter } from './filters/fairness.ts';
import { finishFilter } from './filters/finish.ts';
import { impersonateFilter } from './filters/impersonate.ts';
import { limitFilter } from './filters/limit.ts';
import { observe } from './filters/observe.ts';
import { requestInfoFilter } from './filters/request-info.ts';
import { addWarnings } from './filters/warnings.ts';
import { type HealthCheck, healthRoutes } from './health/checks.ts';
import { versionHandler } from './health/version.ts';
import { metricsHandler } from './metrics/metrics-handler.ts';
import type { ServerMetrics } from './metrics/server-metrics.ts';
import type { ResolvedOptions } from './options.ts';

interface ApiServerParts {
  readonly security: Security;
  readonly metrics: ServerMetrics;
  /** Undefined: requests are limited without regard to who makes them. */
  readonly flowControl?: FlowControl | undefined;
  /** Answers every request for a resource, even if the resource does not exist. */
  readonly handleResource: Handler;
  /** Discovery, OpenAPI and the like; health, version, metrics and the root are added. */
  readonly routes: RouteTable;
  readonly healthChecks: readonly HealthCheck[];
  /** Undefined: nothing is audited. */
  readonly auditing?: Auditing | undefined;
  /** The paths that are served, for the list under "/". */
  readonly servedPaths?: () => readonly string[];
  readonly renderStatus?: StatusRenderer;
}

export interface ApiServer {
  /** https://ADDRESS:PORT, as reached from this machine. */
  readonly url: string;
  readonly port: number;
  readonly caCertificate: string;
  readonly adminToken: string;
  kubeconfig(): string;
  /**
   * Fails readiness, accepts no new connections, ends watches, lets requests in flight finish within the
   * grace period.
   */
  close(): Promise<void>;
}

export async function startApiServer(options: ResolvedOptions, parts: ApiServerParts): Promise<ApiServer> {
  const { log, limits } = options;
  const { tls, adminToken } = parts.security;
  const shutdown = new ShutdownState();
  const listener = await listen({
    handler: createPipeline(options, parts, shutdown),
    address: options.bindAddress,
    port: options.port,
    tls: tls.context,
    contextFor: tls.contextFor,
    maxBodyBytes: limits.maxBodyBytes,
    requestTimeoutMs: limits.requestTimeoutMs,
    log,
  });
  const certificates = tls.watch((context) => listener.setSecureContext(context), log);
  const url = `https://${inUrl(reachableAddress(options.bindAddress))}:${listener.port}`;
  return {
    url,
    port: listener.port,
    caCertificate: tls.caCertificate,
    adminToken,
    kubeconfig: () => kubeconfigText(url, tls.caCertificate, adminToken),
    async close() {
      shutdown.begin();
      certificates.stop();
      parts.metrics.stop();
      await listener.close(limits.shutdownGraceMs);
    },
  };
}

/**
 * From request to response, without a socket: the filters in the order in which they run, then the handler.
 */
function createPipeline(options: ResolvedOptions, parts: ApiServerParts, shutdown: ShutdownState): Handler {
  const { log, limits } = options;
  const { authenticator, authorizer } = parts.security;
  const audit = parts.auditing && new AuditFilter(parts.auditing);
  const filters: Filter[] = [
    finishFilter(errorAnswers(log, parts.renderStatus), [
      ...(audit === undefined ? [] : [audit.finish]),
      compress,
      addWarnings,
      addCommonHeaders,
      observe(log, parts.metrics.requests),
    ]),
    requestInfoFilter,
    deadlineFilter(limits.requestTimeoutMs),
    authenticateFilter(authenticator, options.anonymousAuth, log),
    ...(audit === undefined ? [] : [audit.filter]),
    impersonateFilter(authorizer),
    parts.flowControl === undefined
      ? limitFilter(limits, parts.metrics.requests)
      : fairnessFilter(parts.flowControl, limits.requestTimeoutMs, parts.metrics.requests),
    authorizeFilter(authorizer, options.anonymousAuth !== false),
  ];
  const handlePath = routePaths(allRoutes(options, parts, shutdown));
  return chain(filters, (request) =>
    request.info.isResourceRequest ? parts.handleResource(request) : handlePath(request),
  );
}

function allRoutes({ log }: ResolvedOptions, parts: ApiServerParts, shutdown: ShutdownState): RouteTable {
  const routes = {
    ...healthRoutes([...parts.healthChecks, shutdown], log),
    '/version': versionHandler,
    '/version/': versionHandler,
    '/metrics': metricsHandler(parts.metrics.registry),
    ...parts.routes,
  };
  return { '/': rootPaths(routes, parts.servedPaths ?? (() => [])), ...routes };
}

/** The check that makes /readyz fail once the shutdown has begun. */
class ShutdownState implements HealthCheck {
  readonly name = 'shutdown';
  readonly endpoints = ['readyz'] as const;
  #hasBegun = false;

  begin(): void {
    this.#hasBegun = true;
  }

  check(): void {
    if (this.#hasBegun) throw new Error('process is shutting down');
  }
}
