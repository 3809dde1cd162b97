// Which controllers run: --controllers as kube-controller-manager reads it, with its names.

/** Those that this server has. */
export const CONTROLLERS = [
  'certificatesigningrequest-cleaner-controller',
  'certificatesigningrequest-signing-controller',
  'clusterrole-aggregation-controller',
  'disruption-controller',
  'endpoints-controller',
  'endpointslice-controller',
  'endpointslice-mirroring-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'resourcequota-controller',
  'root-ca-certificate-publisher-controller',
  'serviceaccount-controller',
  'storage-version-migrator-controller',
  'validatingadmissionpolicy-status-controller',
] as const;

/** The name of a controller, as kube-controller-manager has it. */
export type ControllerName = (typeof CONTROLLERS)[number];

/** Older names that kube-controller-manager still reads. */
const ALIASES: Readonly<Record<string, ControllerName>> = {
  csrcleaner: 'certificatesigningrequest-cleaner-controller',
  csrsigning: 'certificatesigningrequest-signing-controller',
  'clusterrole-aggregation': 'clusterrole-aggregation-controller',
  disruption: 'disruption-controller',
  endpoint: 'endpoints-controller',
  endpointslice: 'endpointslice-controller',
  endpointslicemirroring: 'endpointslice-mirroring-controller',
  garbagecollector: 'garbage-collector-controller',
  namespace: 'namespace-controller',
  resourcequota: 'resourcequota-controller',
  'root-ca-cert-publisher': 'root-ca-certificate-publisher-controller',
  serviceaccount: 'serviceaccount-controller',
};

/** Those of kube-controller-manager that this server does not have. */
const ELSEWHERE: ReadonlySet<string> = new Set(
  `bootstrap-signer certificatesigningrequest-approving cloud-node-lifecycle cronjob daemonset deployment device-taint-eviction
ephemeral-volume horizontal-pod-autoscaler job kube-apiserver-serving-clustertrustbundle-publisher
legacy-serviceaccount-token-cleaner node-ipam node-lifecycle node-route persistentvolume-attach-detach
persistentvolume-binder persistentvolume-expander persistentvolume-protection
persistentvolumeclaim-protection pod-garbage-collector podcertificaterequest-cleaner podgroup-protection
replicaset replicationcontroller resourceclaim resourcepoolstatusrequest selinux-warning service-cidr
service-lb serviceaccount-token statefulset storageversion-garbage-collector taint-eviction token-cleaner
ttl ttl-after-finished volumeattributesclass-protection`
    .split(/\s+/)
    .map((name) => `${name}-controller`),
);

/** What is wrong with a list, in words. */
export function checkControllers(list: readonly string[]): string | undefined {
  for (const item of list) {
    if (item === '*' || item === '-*') continue;
    const name = item.replace(/^-/, '');
    if (canonical(name) !== undefined) continue;
    if (!ELSEWHERE.has(name)) return `"${name}" is not in the list of known controllers`;
    if (!item.startsWith('-'))
      return `"${name}" is not part of this server: run kube-controller-manager beside it`;
  }
  return undefined;
}

/** As kube-controller-manager decides: the first item that names a controller counts, before `*`. */
export function isControllerEnabled(name: ControllerName, list: readonly string[]): boolean {
  for (const item of list) {
    if (canonical(item) === name) return true;
    if (item.startsWith('-') && canonical(item.slice(1)) === name) return false;
  }
  return list.includes('*');
}

const canonical = (name: string): ControllerName | undefined =>
  (CONTROLLERS as readonly string[]).includes(name)
    ? (name as ControllerName)
    : Object.hasOwn(ALIASES, name)
      ? ALIASES[name]
      : undefined;
