// PodSecurity: pods must conform to the level of the Pod Security Standards that the labels of their
// namespace enforce; workloads that would make other pods are warned of.
import {
  aggregateMessage,
  apiErrors,
  isJsonObject,
  type JsonValue,
  type KubeObject,
} from '@instar/machinery';
import type { Resource } from '../../../objects/resource.ts';
import type { AdmissionOperation } from '../../../objects/write/write-request.ts';
import { findNamespace } from '../namespace-lifecycle.ts';
import type { PodSecurityConfiguration } from '../pod-security/configuration.ts';
import { exemptionWarning } from '../pod-security/exemption-warning.ts';
import { warningsOfPods } from '../pod-security/existing-pods.ts';
import {
  isPrivileged,
  isStricter,
  type LabeledPolicy,
  type LevelVersion,
  PREFIX,
  policyOfLabels,
  printLevel,
  sameLevel,
} from '../pod-security/level.ts';
import { type Container, checkedPod, type PodSpec } from '../pod-security/pod.ts';
import { violationDetails, violationsOf } from '../pod-security/standards.ts';
import { denied, type PluginDefinition, type PluginServices } from './plugin.ts';

const WORKLOADS = [
  '/replicationcontrollers',
  '/podtemplates',
  'apps/replicasets',
  'apps/deployments',
  'apps/statefulsets',
  'apps/daemonsets',
  'batch/jobs',
  'batch/cronjobs',
];
/** The others write the pod itself. */
const OTHER_SUBRESOURCES: ReadonlySet<string> = new Set(
  'exec attach binding eviction log portforward proxy status'.split(' '),
);

type Template = Parameters<typeof checkedPod>[0];
type Pod = KubeObject & { spec: PodSpec };

export const podSecurity: PluginDefinition = {
  name: 'PodSecurity',
  make: (services) => {
    const checks = new PodSecurity(services);
    return {
      resources: ['/namespaces', '/pods', ...WORKLOADS],
      validate: (operation) => checks.validate(operation),
    };
  },
};

class PodSecurity {
  readonly #configuration: PodSecurityConfiguration;
  readonly #annotate: PluginServices['annotate'];
  readonly #namespaces: Resource;
  readonly #pods: Resource;

  constructor({ registry, podSecurity: configuration, annotate }: PluginServices) {
    this.#configuration = configuration;
    this.#annotate = annotate;
    this.#namespaces = registry.get('', 'namespaces')!;
    this.#pods = registry.get('', 'pods')!;
  }

  async validate(operation: AdmissionOperation): Promise<void> {
    if (operation.operation === 'DELETE') return;
    const { resource, subresource } = operation.write;
    if (resource === this.#pods) {
      if (!OTHER_SUBRESOURCES.has(subresource)) await this.#checkPod(operation);
    } else if (subresource === '')
      await (resource === this.#namespaces
        ? this.#checkNamespace(operation)
        : this.#checkWorkload(operation));
  }

  async #checkNamespace({ object, old, write, operation }: AdmissionOperation): Promise<void> {
    const { defaults, exemptions } = this.#configuration;
    const name = object!.metadata.name ?? '';
    const labels = object!.metadata.labels ?? {};
    const { policy, errors } = policyOfLabels(labels, defaults);
    const before = operation === 'UPDATE' ? policyOfLabels(old!.metadata.labels ?? {}, defaults) : undefined;
    const isNew = JSON.stringify(errors) !== JSON.stringify(before?.errors ?? []);
    if (errors.length > 0 && isNew) throw apiErrors.invalid({ group: '', kind: 'Namespace' }, name, errors);
    if (before !== undefined && !isTightened(policy.enforce, before.policy.enforce)) return;
    if (exemptions.namespaces.has(name)) {
      const warning = exemptionWarning(name, labels, policy, defaults);
      if (warning !== undefined) write.warnings.push(warning);
    } else if (before !== undefined)
      write.warnings.push(
        ...(await warningsOfPods(this.#pods, name, policy.enforce, exemptions.runtimeClasses)),
      );
  }

  async #checkPod(operation: AdmissionOperation): Promise<void> {
    if (this.#isExempt(operation)) return;
    const labeled = await this.#policyFor(operation);
    const { enforce, audit, warn } = labeled.policy;
    if (labeled.errors.length === 0 && isPrivileged(enforce, audit, warn)) {
      this.#note(operation, 'enforce-policy', 'privileged:latest');
      return;
    }
    const pod = operation.object as Pod;
    if (operation.operation === 'UPDATE' && !changesImages(pod.spec, (operation.old as Pod).spec)) return;
    this.#evaluate(operation, pod, labeled, true);
  }

  async #checkWorkload(operation: AdmissionOperation): Promise<void> {
    if (this.#isExempt(operation)) return;
    const labeled = await this.#policyFor(operation);
    if (labeled.errors.length === 0 && isPrivileged(labeled.policy.audit, labeled.policy.warn)) return;
    const template = templateOf(operation.object!);
    if (template !== undefined) this.#evaluate(operation, template, labeled, false);
  }

  #evaluate(
    operation: AdmissionOperation,
    template: Template,
    { policy: { enforce, audit, warn }, errors }: LabeledPolicy,
    isEnforced: boolean,
  ): void {
    if (this.#configuration.exemptions.runtimeClasses.has(template.spec?.runtimeClassName ?? '')) {
      this.#note(operation, 'exempt', 'runtimeClass');
      return;
    }
    const pod = checkedPod(template);
    if (errors.length > 0)
      this.#note(operation, 'error', `Failed to parse policy: ${aggregateMessage(errors)}`);
    const audited = violationsOf(audit, pod);
    if (audited.length > 0)
      this.#note(operation, 'audit-violations', `would violate ${told(audit, audited)}`);
    if (isEnforced) {
      this.#note(operation, 'enforce-policy', printLevel(enforce));
      const found = violationsOf(enforce, pod);
      if (found.length > 0) throw denied(operation, `violates ${told(enforce, found)}`);
    }
    const warned = violationsOf(warn, pod);
    if (warned.length > 0) operation.write.warnings.push(`would violate ${told(warn, warned)}`);
  }

  #isExempt(operation: AdmissionOperation): boolean {
    const { exemptions } = this.#configuration;
    const { namespace, user } = operation.write;
    const by = exemptions.namespaces.has(namespace)
      ? 'namespace'
      : exemptions.usernames.has(user.name)
        ? 'user'
        : undefined;
    if (by !== undefined) this.#note(operation, 'exempt', by);
    return by !== undefined;
  }

  async #policyFor({ write }: AdmissionOperation): Promise<LabeledPolicy> {
    const found = await findNamespace(this.#namespaces, write.namespace);
    if (found === undefined)
      throw apiErrors.internal(`failed to lookup namespace ${JSON.stringify(write.namespace)}`);
    return policyOfLabels(found.metadata.labels ?? {}, this.#configuration.defaults);
  }

  #note(operation: AdmissionOperation, key: string, value: string): void {
    this.#annotate(operation, PREFIX + key, value);
  }
}

const told = (level: LevelVersion, violations: ReturnType<typeof violationsOf>): string =>
  `PodSecurity "${printLevel(level)}": ${violationDetails(violations)}`;

/** Only then the pods that exist may be of interest. */
function isTightened(now: LevelVersion, before: LevelVersion): boolean {
  if (sameLevel(now, before) || now.level === 'privileged') return false;
  return now.version !== before.version || isStricter(now.level, before.level);
}

/** Nothing else that is checked can change in a pod. */
function changesImages(spec: PodSpec, old: PodSpec): boolean {
  const differ = (now: readonly Container[], before: readonly Container[]): boolean =>
    now.length !== before.length || now.some(({ image }, index) => image !== before[index]!.image);
  const ephemeral = new Map((old.ephemeralContainers ?? []).map(({ name, image }) => [name, { image }]));
  return (
    differ(spec.containers ?? [], old.containers ?? []) ||
    differ(spec.initContainers ?? [], old.initContainers ?? []) ||
    (spec.ephemeralContainers ?? []).some(
      ({ name, image }) => !ephemeral.has(name) || ephemeral.get(name)!.image !== image,
    )
  );
}

function templateOf(object: KubeObject): Template | undefined {
  const at = (value: JsonValue | undefined, key: string) => (isJsonObject(value) ? value[key] : undefined);
  const spec = object['spec'] as JsonValue | undefined;
  if (object.kind === 'PodTemplate') return object['template'] as Template | undefined;
  const holder = object.kind === 'CronJob' ? at(at(spec, 'jobTemplate'), 'spec') : spec;
  return (at(holder, 'template') ?? undefined) as Template | undefined;
}
