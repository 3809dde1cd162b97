// The authorizer of a server, by its modes, and what must run for it.
import type { Log, MetricsRegistry } from '@instar/serving';
import { ALWAYS_ALLOW, type Authorizer } from '../../api/auth/authorizer.ts';
import { ALWAYS_DENY, OrderedAuthorizers } from '../../api/auth/authorizers.ts';
import { RbacAuthorizer } from '../../api/auth/rbac/rbac-authorizer.ts';
import { WebhookAuthorizer } from '../../api/auth/webhook-authorizer.ts';
import type { HealthCheck } from '../../api/health/checks.ts';
import type { AuthorizationMode, FollowAuthorization } from '../../api/options.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import { bootstrapRoles } from './bootstrap-roles.ts';
import { FollowedRoles } from './followed-roles.ts';

/** Said once: at the next start the roles exist. */
const CHANGED =
  'requests are now authorized by RBAC, and the roles of Kubernetes were added: users other than the admin ' +
  'need roles and bindings (docs/security.md); --authorization-mode=AlwaysAllow restores what was before';

export interface Authorization {
  readonly authorizer: Authorizer;
  readonly roles: FollowedRoles;
  readonly healthChecks: readonly HealthCheck[];
  /**
   * Resolves when decisions can be made. `hasData`: the storage was used before.
   */
  start(hasData: boolean): Promise<void>;
  stop(): void;
}

interface AuthorizationOptions {
  readonly registry: ResourceRegistry;
  readonly modes: readonly AuthorizationMode[];
  readonly follow: FollowAuthorization | undefined;
  readonly metrics: MetricsRegistry;
  readonly log: Log;
}

function authorizerOf(mode: AuthorizationMode, roles: FollowedRoles): Authorizer {
  switch (mode) {
    case 'AlwaysAllow':
      return ALWAYS_ALLOW;
    case 'AlwaysDeny':
      return ALWAYS_DENY;
    case 'RBAC':
      return new RbacAuthorizer(roles.index);
    default:
      return new WebhookAuthorizer(mode);
  }
}

export function openAuthorization(options: AuthorizationOptions): Authorization {
  const { registry, modes, follow, log } = options;
  const roles = new FollowedRoles(registry, log);
  const authorizersOf = (all: readonly AuthorizationMode[]) => all.map((mode) => authorizerOf(mode, roles));
  const authorizers = new OrderedAuthorizers(authorizersOf(modes));
  let stopFollowing = (): void => {};
  return {
    // Everybody may do everything: nothing is asked.
    authorizer: modes[0] === 'AlwaysAllow' && follow === undefined ? ALWAYS_ALLOW : authorizers,
    roles,
    healthChecks: modes.includes('RBAC')
      ? [{ name: 'poststarthook/rbac/bootstrap-roles', check: () => {} }]
      : [],
    async start(hasData) {
      if (modes.includes('RBAC')) {
        const { wasMissing } = await bootstrapRoles(registry);
        if (wasMissing && hasData) log.warn({}, CHANGED);
      }
      await roles.start();
      if (follow === undefined) return;
      const reloaded = reloadMetrics(options.metrics);
      stopFollowing = follow({
        replaced(next) {
          authorizers.replace(authorizersOf(next));
          reloaded('success');
        },
        failed: () => reloaded('failure'),
      });
    },
    stop() {
      stopFollowing();
      roles.stop();
    },
  };
}

/** As kube-apiserver counts them; it also labels them with the server. */
function reloadMetrics(metrics: MetricsRegistry): (status: 'success' | 'failure') => void {
  const name = (last: string): string => `apiserver_authorization_config_controller_${last}`;
  const total = metrics.counter(
    name('automatic_reloads_total'),
    'Total number of automatic reloads of authorization configuration.',
    ['status'],
  );
  const last = metrics.gauge(
    name('automatic_reload_last_timestamp_seconds'),
    'Timestamp of the last automatic reload of authorization configuration.',
    ['status'],
  );
  return (status) => {
    total.with(status).value++;
    last.with(status).value = Date.now() / 1000;
  };
}
