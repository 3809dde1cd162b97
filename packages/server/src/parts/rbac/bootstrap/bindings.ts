// Who has the bootstrap roles. A controller's role is held by the service account of its name; what else is
// bound is listed.
import { RBAC_GROUP, type Subject } from '../../../kinds/validate/rbac.ts';
import { CONTROLLER_ROLES } from './controller-roles.ts';

export interface BootstrapBinding {
  readonly namespace: string;
  readonly name: string;
  readonly role: string;
  readonly subjects: readonly Subject[];
}

const user = (name: string): Subject => ({ kind: 'User', apiGroup: RBAC_GROUP, name });
const group = (name: string): Subject => ({ kind: 'Group', apiGroup: RBAC_GROUP, name });
const account = (name: string): Subject => ({ kind: 'ServiceAccount', name, namespace: 'kube-system' });

const CLUSTER: Readonly<Record<string, readonly Subject[]>> = {
  'cluster-admin': [group('system:masters')],
  'system:basic-user': [group('system:authenticated')],
  'system:discovery': [group('system:authenticated')],
  'system:kube-controller-manager': [user('system:kube-controller-manager')],
  'system:kube-dns': [account('kube-dns')],
  'system:kube-scheduler': [user('system:kube-scheduler')],
  'system:monitoring': [group('system:monitoring')],
  'system:node': [],
  'system:node-proxier': [user('system:kube-proxy')],
  'system:public-info-viewer': [group('system:authenticated'), group('system:unauthenticated')],
  'system:service-account-issuer-discovery': [group('system:serviceaccounts')],
  'system:volume-scheduler': [user('system:kube-scheduler')],
};

const READER = 'extension-apiserver-authentication-reader';
const MANAGER = 'kube-controller-manager';
const SCHEDULER = 'kube-scheduler';

const NAMESPACED: readonly BootstrapBinding[] = [
  inNamespace('kube-public', 'system:controller:bootstrap-signer', [account('bootstrap-signer')]),
  {
    ...inNamespace('kube-system', `system::${READER}`, [
      user(`system:${MANAGER}`),
      user(`system:${SCHEDULER}`),
    ]),
    role: READER,
  },
  inNamespace('kube-system', `system::leader-locking-${MANAGER}`, [
    user(`system:${MANAGER}`),
    account(MANAGER),
    account('leader-election-controller'),
  ]),
  inNamespace('kube-system', `system::leader-locking-${SCHEDULER}`, [
    user(`system:${SCHEDULER}`),
    account(SCHEDULER),
  ]),
  inNamespace('kube-system', 'system:controller:bootstrap-signer', [account('bootstrap-signer')]),
  inNamespace('kube-system', 'system:controller:cloud-provider', [account('cloud-provider')]),
  inNamespace('kube-system', 'system:controller:token-cleaner', [account('token-cleaner')]),
];

function inNamespace(namespace: string, name: string, subjects: readonly Subject[]): BootstrapBinding {
  return { namespace, name, role: name, subjects };
}

export function bootstrapBindings(): BootstrapBinding[] {
  return [
    ...Object.entries(CLUSTER).map(([name, subjects]) => inNamespace('', name, subjects)),
    ...Object.keys(CONTROLLER_ROLES).map((name) =>
      inNamespace('', `system:controller:${name}`, [account(name)]),
    ),
    ...NAMESPACED,
  ];
}
