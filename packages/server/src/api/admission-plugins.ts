// --enable-admission-plugins and --disable-admission-plugins. What is part of this server can be turned off;
// what is not cannot be turned on, unless kube-apiserver has it on anyway, where the flag changes nothing.

/** The plugins that this server has; all of them are on, except those of `ON_REQUEST`. */
const OWN = [
  'NamespaceLifecycle',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
  'AlwaysAdmit',
  'AlwaysDeny',
  'AlwaysPullImages',
  'DenyServiceExternalIPs',
  'ExtendedResourceToleration',
  'LimitPodHardAntiAffinityTopology',
  'NamespaceAutoProvision',
  'NamespaceExists',
  'OwnerReferencesPermissionEnforcement',
  'CertificateApproval',
  'CertificateSigning',
  'CertificateSubjectRestriction',
  'DefaultIngressClass',
  'DefaultStorageClass',
  'DefaultTolerationSeconds',
  'LimitRanger',
  'PersistentVolumeClaimResize',
  'PodSecurity',
  'Priority',
  'ResourceQuota',
  'RuntimeClass',
  'ServiceAccount',
  'StorageObjectInUseProtection',
  'TaintNodesByCondition',
] as const;

export type AdmissionPlugin = (typeof OWN)[number];

/** Pods run nowhere here, and where controllers are off, nothing makes the accounts that they would need. */
const NO_ACCOUNTS = 'ServiceAccount';

/** Off unless they are asked for: all but the account one also in kube-apiserver. */
const ON_REQUEST: ReadonlySet<AdmissionPlugin> = new Set([
  'AlwaysAdmit',
  'AlwaysDeny',
  'AlwaysPullImages',
  'DenyServiceExternalIPs',
  'ExtendedResourceToleration',
  'LimitPodHardAntiAffinityTopology',
  'NamespaceAutoProvision',
  'NamespaceExists',
  'OwnerReferencesPermissionEnforcement',
  NO_ACCOUNTS,
] as const);

/** Others that kube-apiserver has on unless told otherwise. */
const ON_BY_DEFAULT = [
  'ClusterTrustBundleAttest',
  'JobValidation',
  'NodeDeclaredFeatureValidator',
  'PodGroupProtection',
  'PodGroupWorkloadExists',
  'PodResizeValidator',
  'PodTopologyLabels',
];

/** Why those that are off by default and not part of this server cannot be turned on. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['EventRateLimit', 'events are limited like other requests'],
  ['ImagePolicyWebhook', 'a ValidatingWebhookConfiguration can ask about images'],
  ['NodeRestriction', 'there are no kubelets that it could restrict'],
  ['PodNodeSelector', 'a MutatingAdmissionPolicy can set node selectors'],
  ['PodTolerationRestriction', 'a policy can restrict tolerations'],
]);

const NEEDLESS: ReadonlySet<string> = new Set([...OWN, ...ON_BY_DEFAULT]);
const KNOWN: ReadonlySet<string> = new Set([...NEEDLESS, ...REFUSED.keys()]);

/** Those of this server that are off. Throws kube-apiserver's errors, and for what cannot be turned on. */
export function disabledPlugins(
  enabled: readonly string[],
  disabled: readonly string[],
): ReadonlySet<AdmissionPlugin> {
  const faults = [
    ...unknownIn('enable', enabled),
    ...unknownIn('disable', disabled),
    ...overlapOf(enabled, disabled),
    ...enabled
      .filter((name) => KNOWN.has(name) && !NEEDLESS.has(name))
      .map(
        (name) =>
          `enable-admission-plugins plugin "${name}" is not part of this server: ${REFUSED.get(name)}`,
      ),
  ];
  if (faults.length > 0) throw new Error(faults.join('; '));
  return new Set(
    OWN.filter((name) => disabled.includes(name) || (ON_REQUEST.has(name) && !enabled.includes(name))),
  );
}

const unknownIn = (which: 'enable' | 'disable', names: readonly string[]): string[] =>
  names
    .filter((name) => !KNOWN.has(name))
    .map((name) => `${which}-admission-plugins plugin ${JSON.stringify(name)} is unknown`);

function overlapOf(enabled: readonly string[], disabled: readonly string[]): string[] {
  const both = [...new Set(enabled)].filter((name) => disabled.includes(name)).sort();
  return both.length === 0
    ? []
    : [`[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`];
}
