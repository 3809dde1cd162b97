// /healthz, /livez and /readyz: named checks, all together or each alone, with the texts of kube-apiserver.
import { quoteGo } from '@instar/go';
import type { Log } from '@instar/serving';
import type { ApiRequest, ApiResponse, Handler } from '../../wire/exchange.ts';
import { errorText } from '../../wire/responses.ts';
import type { RouteTable } from '../../wire/router.ts';
import { HealthSlis } from './health-slis.ts';

export interface HealthCheck {
  readonly name: string;
  /** Throws or rejects if unhealthy. */
  check(): void | Promise<void>;
  /** The endpoints that include the check; all of them by default. */
  readonly endpoints?: readonly HealthEndpoint[];
}

type HealthEndpoint = 'healthz' | 'livez' | 'readyz';
const ENDPOINTS: readonly HealthEndpoint[] = ['healthz', 'livez', 'readyz'];
const PING: HealthCheck = { name: 'ping', check: () => {} };

const encoder = new TextEncoder();

export function healthRoutes(checks: readonly HealthCheck[], log: Log): RouteTable {
  const slis = new HealthSlis();
  const routes: Record<string, Handler> = { '/metrics/slis': slis.handler };
  for (const endpoint of ENDPOINTS) {
    const own = [PING, ...checks].filter(
      (check) => check.endpoints === undefined || check.endpoints.includes(endpoint),
    );
    routes[`/${endpoint}`] = (request) => runAll(endpoint, own, request, log, slis);
    for (const check of own) routes[`/${endpoint}/${check.name}`] = () => runOne(check, endpoint, slis);
  }
  return routes;
}

async function runAll(
  endpoint: string,
  checks: readonly HealthCheck[],
  request: ApiRequest,
  log: Log,
  slis: HealthSlis,
): Promise<ApiResponse> {
  const excluded = new Set(request.query.getAll('exclude'));
  const lines: string[] = [];
  const failed: string[] = [];
  for (const check of checks) {
    if (excluded.delete(check.name)) lines.push(`[+]${check.name} excluded: ok`);
    else {
      const problem = await problemOf(check, endpoint, slis);
      // Anonymous clients can read this, so that the reason is logged only.
      lines.push(problem === undefined ? `[+]${check.name} ok` : `[-]${check.name} failed: reason withheld`);
      if (problem === undefined) continue;
      failed.push(check.name);
      log.warn({ check: check.name, endpoint, err: problem }, 'a health check failed');
    }
  }
  if (excluded.size > 0)
    lines.push(
      `warn: some health checks cannot be excluded: no matches for ${[...excluded].sort().map(quoteGo).join(',')}`,
    );
  if (failed.length > 0) return errorText(500, [...lines, `${endpoint} check failed`].join('\n'));
  return plain(
    request.query.has('verbose') ? `${[...lines, `${endpoint} check passed`].join('\n')}\n` : 'ok',
  );
}

async function runOne(check: HealthCheck, endpoint: string, slis: HealthSlis): Promise<ApiResponse> {
  const problem = await problemOf(check, endpoint, slis);
  return problem === undefined ? plain('ok') : errorText(500, `internal server error: ${problem.message}`);
}

async function problemOf(check: HealthCheck, endpoint: string, slis: HealthSlis): Promise<Error | undefined> {
  try {
    await check.check();
    slis.observe(check.name, endpoint, true);
    return undefined;
  } catch (error) {
    slis.observe(check.name, endpoint, false);
    return error instanceof Error ? error : new Error(String(error));
  }
}

const plain = (text: string): ApiResponse => ({
  status: 200,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: encoder.encode(text),
});
