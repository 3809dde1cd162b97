// The admission chain of the server: the lifecycle of namespaces and mutating webhooks; then policies and
// validating webhooks. While nothing is configured that could match, no work is done for a request, not even
// for its description.
import { isExempt, mutate, validate, validateByPolicies } from '@instar/admission';
import type { KubeObject } from '@instar/machinery';
import { checkManagedFieldsAfterAdmission } from '@instar/ownership';
import type { Log } from '@instar/serving';
import type { AdmissionPlugin } from '../../api/admission-plugins.ts';
import type { Authorizer } from '../../api/auth/authorizer.ts';
import type { AdmissionMetrics } from '../../api/metrics/admission-metrics.ts';
import { prune } from '../../objects/forms/completeness.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Admission, AdmissionOperation } from '../../objects/write/write-request.ts';
import { FollowedConfigurations } from './followed-configurations.ts';
import { FollowedPolicies } from './followed-policies.ts';
import { Plugins } from './plugins/plug-ins.ts';
import { type HostServices, requestHost } from './request-host.ts';
import { subjectOf } from './subject-of.ts';
import type { WebhookConnections } from './webhook-connections.ts';

interface ChainServices {
  readonly registry: ResourceRegistry;
  readonly authorizer: Authorizer;
  readonly connections: WebhookConnections;
  /** What --disable-admission-plugins turns off. */
  readonly disabled: ReadonlySet<AdmissionPlugin>;
  readonly metrics: AdmissionMetrics;
  readonly log: Log;
}

const GROUP = 'admissionregistration.k8s.io';

export class AdmissionChain implements Admission {
  readonly #services: HostServices;
  readonly #metrics: AdmissionMetrics;
  readonly #mutating: FollowedConfigurations;
  readonly #validating: FollowedConfigurations;
  readonly #policies: FollowedPolicies;
  readonly #plugins: Plugins;

  constructor({ registry, metrics, disabled, ...services }: ChainServices) {
    this.#plugins = new Plugins({ registry, authorizer: services.authorizer }, disabled);
    this.#services = {
      ...services,
      registry,
      namespaces: registry.get('', 'namespaces')!,
      observer: metrics.observer,
    };
    this.#metrics = metrics;
    const follow = (plural: string): FollowedConfigurations =>
      new FollowedConfigurations(registry.get(GROUP, plural)!, services.log, () => this.#dropConnections());
    this.#mutating = follow('mutatingwebhookconfigurations');
    this.#validating = follow('validatingwebhookconfigurations');
    const policies = registry.get(GROUP, 'validatingadmissionpolicies')!;
    this.#policies = new FollowedPolicies(
      policies,
      registry.get(GROUP, 'validatingadmissionpolicybindings')!,
      services.log,
    );
  }

  /** Resolves when all configurations and policies are in effect. */
  async start(): Promise<void> {
    await Promise.all([this.#mutating.start(), this.#validating.start(), this.#policies.start()]);
  }

  stop(): void {
    this.#mutating.stop();
    this.#validating.stop();
    this.#policies.stop();
  }

  mutate(operation: AdmissionOperation): Promise<KubeObject | undefined> {
    return this.#metrics.step('admit', operation.operation, () => this.#admit(operation));
  }

  validate(operation: AdmissionOperation): Promise<void> {
    return this.#metrics.step('validate', operation.operation, () => this.#validate(operation));
  }

  async #admit(operation: AdmissionOperation): Promise<KubeObject | undefined> {
    for (const { name, mutate: change } of this.#plugins.first(operation))
      if (change !== undefined)
        await this.#metrics.controller(name, 'admit', operation.operation, async () => change(operation));
    const { webhooks } = this.#mutating;
    const isOn = this.#plugins.isOn('MutatingAdmissionWebhook');
    if (!isOn || webhooks.webhooks.length === 0 || isExemptOperation(operation)) return undefined;
    const { object } = operation;
    const before = object?.metadata.managedFields;
    const host = requestHost(operation, this.#services);
    const admitted = await this.#metrics.controller(
      'MutatingAdmissionWebhook',
      'admit',
      operation.operation,
      () => mutate(webhooks, subjectOf(operation), object, host),
    );
    return admitted === object || admitted === undefined ? undefined : sanitized(admitted, before, operation);
  }

  async #validate(operation: AdmissionOperation): Promise<void> {
    await this.#check(this.#plugins.first(operation), operation);
    await this.#validateByConfiguration(operation);
    await this.#check(this.#plugins.last(operation), operation);
  }

  async #check(plugins: ReturnType<Plugins['first']>, operation: AdmissionOperation): Promise<void> {
    for (const { name, validate: check } of plugins)
      if (check !== undefined)
        await this.#metrics.controller(name, 'validate', operation.operation, async () => check(operation));
  }

  async #validateByConfiguration(operation: AdmissionOperation): Promise<void> {
    const { webhooks } = this.#validating;
    const { policies } = this.#policies;
    if ((webhooks.webhooks.length === 0 && policies.bound.length === 0) || isExemptOperation(operation))
      return;
    const subject = subjectOf(operation);
    const host = requestHost(operation, this.#services);
    const measured = async (name: AdmissionPlugin, work: () => Promise<void>): Promise<void> =>
      this.#plugins.isOn(name)
        ? this.#metrics.controller(name, 'validate', operation.operation, work)
        : undefined;
    await measured('ValidatingAdmissionPolicy', () =>
      validateByPolicies(policies, subject, operation.object, host),
    );
    await measured('ValidatingAdmissionWebhook', () => validate(webhooks, subject, operation.object, host));
  }

  #dropConnections(): void {
    const all = [...this.#mutating.webhooks.webhooks, ...this.#validating.webhooks.webhooks];
    this.#services.connections.keepOnly(new Set(all));
  }
}

const isExemptOperation = ({ write: { resource } }: AdmissionOperation): boolean =>
  isExempt(resource.definition.group, resource.definition.names.plural);

/**
 * Webhooks must not corrupt managedFields, nor leave fields in an object that its schema does not specify.
 */
function sanitized(
  admitted: KubeObject,
  before: KubeObject['metadata']['managedFields'],
  { write, decode }: AdmissionOperation,
): KubeObject {
  const { object, warning } = checkManagedFieldsAfterAdmission(admitted, before);
  if (warning !== undefined) write.warnings.push(warning);
  if (decode === undefined) prune(object, write.version, true);
  return object;
}
