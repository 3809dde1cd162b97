// The admission chain of the server: plug-ins, mutating policies and mutating webhooks, a second time if
// those have changed the object; then validating policies and webhooks. While nothing is configured that
// could match, no work is done for a request, not even for its description.
import {
  type CompiledMutatingPolicy,
  type CompiledPolicy,
  isExempt,
  mutate,
  mutateByPolicies,
  type PolicyHost,
  Reinvocation,
  validate,
  validateByPolicies,
} from '@instar/admission';
import type { JsonValue, KubeObject } from '@instar/machinery';
import { checkManagedFieldsAfterAdmission } from '@instar/ownership';
import type { Log } from '@instar/serving';
import type { AdmissionPlugin } from '../../api/admission-plugins.ts';
import type { Authorizer } from '../../api/auth/authorizer.ts';
import type { AdmissionMetrics } from '../../api/metrics/admission-metrics.ts';
import { prune } from '../../objects/forms/completeness.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Admission, AdmissionOperation } from '../../objects/write/write-request.ts';
import { FollowedConfigurations } from './followed-configurations.ts';
import { compileMutating, compileValidating, FollowedPolicies } from './followed-policies.ts';
import { Plugins } from './plugins/plug-ins.ts';
import { podSecurityAmong } from './pod-security/configuration.ts';
import { annotate, type HostServices, requestHost } from './request-host.ts';
import { subjectOf } from './subject-of.ts';
import type { WebhookConnections } from './webhook-connections.ts';

interface ChainServices {
  readonly registry: ResourceRegistry;
  readonly authorizer: Authorizer;
  readonly connections: WebhookConnections;
  /** What --disable-admission-plugins turns off. */
  readonly disabled: ReadonlySet<AdmissionPlugin>;
  /** Of --admission-control-config-file. */
  readonly configurations: Readonly<Record<string, JsonValue>>;
  readonly metrics: AdmissionMetrics;
  readonly log: Log;
}

const GROUP = 'admissionregistration.k8s.io';

export class AdmissionChain implements Admission {
  readonly #services: HostServices;
  readonly #metrics: AdmissionMetrics;
  readonly #mutating: FollowedConfigurations;
  readonly #validating: FollowedConfigurations;
  readonly #policies: FollowedPolicies<CompiledPolicy>;
  readonly #mutatingPolicies: FollowedPolicies<CompiledMutatingPolicy>;
  readonly #plugins: Plugins;

  constructor({ registry, metrics, disabled, configurations, ...services }: ChainServices) {
    this.#plugins = new Plugins(
      {
        registry,
        authorizer: services.authorizer,
        podSecurity: podSecurityAmong(configurations),
        annotate: ({ write }, key, value) => annotate(services.log, write, key, value),
      },
      disabled,
    );
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
    const bound = (kind: string) =>
      [
        registry.get(GROUP, `${kind}admissionpolicies`)!,
        registry.get(GROUP, `${kind}admissionpolicybindings`)!,
        services.log,
      ] as const;
    this.#policies = new FollowedPolicies(compileValidating, ...bound('validating'));
    this.#mutatingPolicies = new FollowedPolicies(compileMutating, ...bound('mutating'));
  }

  /** Resolves when all configurations and policies are in effect. */
  async start(): Promise<void> {
    await Promise.all(this.#followed.map((followed) => followed.start()));
  }

  stop(): void {
    for (const followed of this.#followed) followed.stop();
  }

  get #followed() {
    return [this.#mutating, this.#validating, this.#policies, this.#mutatingPolicies];
  }

  mutate(operation: AdmissionOperation): Promise<KubeObject | undefined> {
    return this.#metrics.step('admit', operation.operation, () => this.#admit(operation));
  }

  validate(operation: AdmissionOperation): Promise<void> {
    return this.#metrics.step('validate', operation.operation, () => this.#validate(operation));
  }

  async #admit(operation: AdmissionOperation): Promise<KubeObject | undefined> {
    if (!this.#isConfigured(operation)) {
      await this.#admitByPlugins(operation);
      return undefined;
    }
    const reinvocation = new Reinvocation();
    const before = operation.object?.metadata.managedFields;
    // One for both rounds: it remembers what conversions leave out.
    const host = requestHost(operation, this.#services);
    let current = operation.object;
    do current = await this.#round({ ...operation, object: current }, host, reinvocation);
    while (reinvocation.startSecondRound());
    return current === operation.object || current === undefined
      ? undefined
      : sanitized(current, before, operation);
  }

  /** True if policies or webhooks may change the object. */
  #isConfigured(operation: AdmissionOperation): boolean {
    const some =
      (this.#mutating.webhooks.webhooks.length > 0 && this.#plugins.isOn('MutatingAdmissionWebhook')) ||
      (this.#mutatingPolicies.policies.bound.length > 0 && this.#plugins.isOn('MutatingAdmissionPolicy'));
    return some && !isExemptOperation(operation);
  }

  async #admitByPlugins(operation: AdmissionOperation): Promise<void> {
    for (const { name, mutate: change } of this.#plugins.first(operation))
      if (change !== undefined)
        await this.#metrics.controller(name, 'admit', operation.operation, async () => change(operation));
  }

  async #round(
    operation: AdmissionOperation,
    host: PolicyHost,
    reinvocation: Reinvocation,
  ): Promise<KubeObject | undefined> {
    await this.#admitByPlugins(operation);
    const subject = subjectOf(operation);
    let { object } = operation;
    const measured = async (
      name: AdmissionPlugin,
      work: () => Promise<KubeObject | undefined>,
    ): Promise<void> => {
      if (this.#plugins.isOn(name))
        object = await this.#metrics.controller(name, 'admit', operation.operation, work);
    };
    await measured('MutatingAdmissionPolicy', () =>
      mutateByPolicies(this.#mutatingPolicies.policies, subject, object, host, reinvocation),
    );
    await measured('MutatingAdmissionWebhook', () =>
      mutate(this.#mutating.webhooks, subject, object, host, reinvocation),
    );
    return object;
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
