// The admission plug-ins in the order of kube-apiserver, and which of them are on.
import type { AdmissionPlugin } from '../../../api/admission-plugins.ts';
import type { AdmissionOperation } from '../../../objects/write/write-request.ts';
import { alwaysAdmit, alwaysDeny } from './always-deny.ts';
import { alwaysPullImages } from './always-pull-images.ts';
import { certificateApproval } from './certificate-approval.ts';
import { certificateSigning } from './certificate-signing.ts';
import { certificateSubjectRestriction } from './certificate-subject-restriction.ts';
import { defaultIngressClass } from './default-ingress-class.ts';
import { defaultStorageClass } from './default-storage-class.ts';
import { defaultTolerationSeconds } from './default-toleration-seconds.ts';
import { denyServiceExternalIps } from './deny-service-external-ips.ts';
import { extendedResourceToleration } from './extended-resource-toleration.ts';
import { limitPodHardAntiAffinityTopology } from './limit-pod-hard-anti-affinity-topology.ts';
import { limitRanger } from './limit-ranger.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import { namespaceAutoProvision, namespaceExists } from './namespace-plug-ins.ts';
import { ownerReferencesPermissionEnforcement } from './owner-references-permission-enforcement.ts';
import { persistentVolumeClaimResize } from './persistent-volume-claim-resize.ts';
import type { PluginDefinition, PluginHooks, PluginServices } from './plugin.ts';
import { podSecurity } from './pod-security.ts';
import { priority } from './priority.ts';
import { resourceQuota } from './resource-quota.ts';
import { runtimeClass } from './runtime-class.ts';
import { serviceAccount } from './service-account.ts';
import { storageObjectInUseProtection } from './storage-object-in-use-protection.ts';
import { taintNodesByCondition } from './taint-nodes-by-condition.ts';

/** Which of these are on by default, --enable-admission-plugins says. */
const PLUGINS: readonly PluginDefinition[] = [
  alwaysAdmit,
  namespaceAutoProvision,
  namespaceLifecycle,
  namespaceExists,
  limitPodHardAntiAffinityTopology,
  limitRanger,
  serviceAccount,
  taintNodesByCondition,
  alwaysPullImages,
  podSecurity,
  priority,
  defaultTolerationSeconds,
  extendedResourceToleration,
  defaultStorageClass,
  storageObjectInUseProtection,
  ownerReferencesPermissionEnforcement,
  persistentVolumeClaimResize,
  runtimeClass,
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  defaultIngressClass,
  denyServiceExternalIps,
  alwaysDeny,
];

/** After webhooks and policies, so that only what they let pass is counted. */
const LAST_PLUGINS: readonly PluginDefinition[] = [resourceQuota];

interface NamedPlugin extends PluginHooks {
  readonly name: AdmissionPlugin;
}

/** The plug-ins that are on, by the resource of an operation. */
export class Plugins {
  readonly #disabled: ReadonlySet<AdmissionPlugin>;
  readonly #first: readonly NamedPlugin[];
  readonly #last: readonly NamedPlugin[];
  readonly #byResource = new Map<string, { first: readonly NamedPlugin[]; last: readonly NamedPlugin[] }>();

  constructor(services: PluginServices, disabled: ReadonlySet<AdmissionPlugin>) {
    this.#disabled = disabled;
    const make = (definitions: readonly PluginDefinition[]): NamedPlugin[] =>
      definitions
        .filter(({ name }) => this.isOn(name))
        .map((definition) => ({ ...definition.make(services), name: definition.name }));
    this.#first = make(PLUGINS);
    this.#last = make(LAST_PLUGINS);
  }

  isOn(name: AdmissionPlugin): boolean {
    return !this.#disabled.has(name);
  }

  /** Before webhooks and policies. */
  first(operation: AdmissionOperation): readonly NamedPlugin[] {
    return this.#for(operation).first;
  }

  /** After them. */
  last(operation: AdmissionOperation): readonly NamedPlugin[] {
    return this.#for(operation).last;
  }

  #for({ write: { resource } }: AdmissionOperation) {
    const { group, names } = resource.definition;
    const key = `${group}/${names.plural}`;
    let found = this.#byResource.get(key);
    if (found === undefined) {
      const concerns = ({ resources }: NamedPlugin): boolean => resources?.includes(key) ?? true;
      found = { first: this.#first.filter(concerns), last: this.#last.filter(concerns) };
      this.#byResource.set(key, found);
    }
    return found;
  }
}
