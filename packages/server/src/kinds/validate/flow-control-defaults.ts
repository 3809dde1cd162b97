// The priority levels and flow schemas that a server creates at start, as kube-apiserver does.
import type { JsonObject, JsonValue, KubeObject } from '@instar/machinery';

const API_VERSION = 'flowcontrol.apiserver.k8s.io/v1';
/** Says that the server may bring the spec up to date. */
export const AUTO_UPDATE = 'apf.kubernetes.io/autoupdate-spec';

const ALL_RESOURCES = {
  verbs: ['*'],
  apiGroups: ['*'],
  resources: ['*'],
  clusterScope: true,
  namespaces: ['*'],
};
const ALL_PATHS = { verbs: ['*'], nonResourceURLs: ['*'] };
const LEASES = { apiGroups: ['coordination.k8s.io'], resources: ['leases'], namespaces: ['*'] };

const group = (name: string): JsonObject => ({ kind: 'Group', group: { name } });
const user = (name: string): JsonObject => ({ kind: 'User', user: { name } });
const EVERYONE = [group('system:unauthenticated'), group('system:authenticated')];
const SYSTEM_ACCOUNTS: JsonObject = {
  kind: 'ServiceAccount',
  serviceAccount: { namespace: 'kube-system', name: '*' },
};
const everything = (...subjects: JsonObject[]): JsonObject[] => [
  { subjects, resourceRules: [ALL_RESOURCES], nonResourceRules: [ALL_PATHS] },
];

function schema(level: string, precedence: number, method: string, rules: JsonObject[]): JsonObject {
  return {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence: precedence,
    ...(method !== '' && { distinguisherMethod: { type: method } }),
    rules,
  };
}

const SCHEMAS: Readonly<Record<string, JsonObject>> = {
  exempt: schema('exempt', 1, '', everything(group('system:masters'))),
  'catch-all': schema('catch-all', 10_000, 'ByUser', everything(...EVERYONE)),
  probes: schema('exempt', 2, '', [
    {
      subjects: EVERYONE,
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
    },
  ]),
  'system-leader-election': schema('leader-election', 100, 'ByUser', [
    {
      subjects: [user('system:kube-controller-manager'), user('system:kube-scheduler'), SYSTEM_ACCOUNTS],
      resourceRules: [{ verbs: ['get', 'create', 'update'], ...LEASES }],
    },
  ]),
  'system-node-high': schema('node-high', 400, 'ByUser', [
    {
      subjects: [group('system:nodes')],
      resourceRules: [
        {
          verbs: ['*'],
          apiGroups: [''],
          resources: ['nodes', 'nodes/status'],
          clusterScope: true,
          namespaces: ['*'],
        },
        { verbs: ['*'], ...LEASES },
      ],
    },
  ]),
  'system-nodes': schema('system', 500, 'ByUser', everything(group('system:nodes'))),
  'kube-controller-manager': schema(
    'workload-high',
    800,
    'ByNamespace',
    everything(user('system:kube-controller-manager')),
  ),
  'kube-scheduler': schema('workload-high', 800, 'ByNamespace', everything(user('system:kube-scheduler'))),
  'kube-system-service-accounts': schema('workload-high', 900, 'ByNamespace', everything(SYSTEM_ACCOUNTS)),
  'service-accounts': schema('workload-low', 9000, 'ByUser', everything(group('system:serviceaccounts'))),
  'global-default': schema('global-default', 9900, 'ByUser', everything(...EVERYONE)),
};

function queue(shares: number, lendable: number, queues: number, handSize: number): JsonObject {
  const queuing = { queues, handSize, queueLengthLimit: 50 };
  return limited(shares, lendable, { type: 'Queue', queuing });
}

const limited = (shares: number, lendable: number, limitResponse: JsonObject): JsonObject => ({
  type: 'Limited',
  limited: { nominalConcurrencyShares: shares, lendablePercent: lendable, limitResponse },
});

const LEVELS: Readonly<Record<string, JsonObject>> = {
  exempt: { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
  'catch-all': limited(5, 0, { type: 'Reject' }),
  system: queue(30, 33, 64, 6),
  'node-high': queue(40, 25, 64, 6),
  'leader-election': queue(10, 0, 16, 4),
  'workload-high': queue(40, 50, 128, 6),
  'workload-low': queue(100, 90, 128, 6),
  'global-default': queue(20, 50, 128, 6),
};

const MANDATORY = ['exempt', 'catch-all'];

/** The specs that must not change. */
export const mandatoryFlowSchema = (name: string): JsonValue | undefined =>
  MANDATORY.includes(name) ? SCHEMAS[name] : undefined;
export const mandatoryPriorityLevel = (name: string): JsonObject | undefined =>
  MANDATORY.includes(name) ? LEVELS[name] : undefined;

export const isMandatoryFlowControl = ({ metadata }: KubeObject): boolean =>
  MANDATORY.includes(metadata.name!);

const objectsOf = (kind: string, specs: Readonly<Record<string, JsonObject>>): KubeObject[] =>
  Object.entries(specs).map(([name, spec]) => ({
    apiVersion: API_VERSION,
    kind,
    metadata: { name, annotations: { [AUTO_UPDATE]: 'true' } },
    spec,
  }));

/** All of them, levels first. */
export const flowControlObjects = (): KubeObject[] => [
  ...objectsOf('PriorityLevelConfiguration', LEVELS),
  ...objectsOf('FlowSchema', SCHEMAS),
];
