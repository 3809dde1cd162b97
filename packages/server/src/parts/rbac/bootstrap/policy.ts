// The roles and bindings of kube-apiserver 1.36, as objects. They are reconciled at every start.
import type { KubeObject } from '@instar/machinery';
import { RBAC_GROUP } from '../../../kinds/validate/rbac.ts';
import { bootstrapBindings } from './bindings.ts';
import { COMPONENT_ROLES } from './component-roles.ts';
import { CONTROLLER_ROLES } from './controller-roles.ts';
import { NAMESPACED_ROLES } from './namespaced-roles.ts';
import { parseRuleLine } from './role-notation.ts';
import { USER_ROLES } from './user-roles.ts';

export interface BootstrapObject {
  readonly plural: 'clusterroles' | 'clusterrolebindings' | 'roles' | 'rolebindings';
  readonly object: KubeObject;
}

/** Of each aggregated role: what it is aggregated to, and from. */
const AGGREGATES = (to: string): string => `${RBAC_GROUP}/aggregate-to-${to}`;
const AGGREGATED = ['admin', 'edit', 'view'];
const AGGREGATED_TO: Readonly<Record<string, string>> = {
  edit: 'admin',
  view: 'edit',
  'system:aggregate-to-admin': 'admin',
  'system:aggregate-to-edit': 'edit',
  'system:aggregate-to-view': 'view',
};

export function bootstrapPolicy(): BootstrapObject[] {
  return [
    ...Object.entries(USER_ROLES).map(([name, lines]) => clusterRole(name, lines)),
    ...Object.entries(COMPONENT_ROLES).map(([name, lines]) => clusterRole(name, lines)),
    ...Object.entries(CONTROLLER_ROLES).map(([name, lines]) =>
      clusterRole(`system:controller:${name}`, lines),
    ),
    ...Object.entries(NAMESPACED_ROLES).map(([key, lines]) => namespacedRole(key, lines)),
    ...bootstrapBindings().map(({ namespace, name, role, subjects }): BootstrapObject => {
      const isCluster = namespace === '';
      const roleRef = { apiGroup: RBAC_GROUP, kind: isCluster ? 'ClusterRole' : 'Role', name: role };
      return {
        plural: isCluster ? 'clusterrolebindings' : 'rolebindings',
        object: {
          ...bootstrapped(isCluster ? 'ClusterRoleBinding' : 'RoleBinding', namespace, name),
          ...(subjects.length > 0 && { subjects: subjects.map((subject) => ({ ...subject })) }),
          roleRef,
        } as KubeObject,
      };
    }),
  ];
}

function clusterRole(name: string, lines: readonly string[]): BootstrapObject {
  const to = AGGREGATED_TO[name];
  const labels = to === undefined ? {} : { [AGGREGATES(to)]: 'true' };
  const isAggregated = AGGREGATED.includes(name);
  const selector = { matchLabels: { [AGGREGATES(name)]: 'true' } };
  return {
    plural: 'clusterroles',
    object: {
      ...bootstrapped('ClusterRole', '', name, labels),
      ...(isAggregated && { aggregationRule: { clusterRoleSelectors: [selector] } }),
      rules: isAggregated ? null : lines.map(parseRuleLine),
    } as unknown as KubeObject,
  };
}

function namespacedRole(key: string, lines: readonly string[]): BootstrapObject {
  const [namespace = '', name = ''] = key.split('/');
  const rules = lines.map(parseRuleLine);
  return {
    plural: 'roles',
    object: { ...bootstrapped('Role', namespace, name), rules } as unknown as KubeObject,
  };
}

function bootstrapped(kind: string, namespace: string, name: string, labels: object = {}): KubeObject {
  return {
    apiVersion: `${RBAC_GROUP}/v1`,
    kind,
    metadata: {
      name,
      ...(namespace !== '' && { namespace }),
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
      annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
    },
  };
}
