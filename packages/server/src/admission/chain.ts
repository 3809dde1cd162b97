// The admission chain of the server: the life cycle of namespaces, mutating webhooks; then policies and validating webhooks.
// Nothing is made of a request, not even its description, while nothing is configured that could be about it.
import { isExempt, mutate, validate } from '@instar/admission';
import type { KubeObject } from '@instar/machinery';
import { checkManagedFieldsAfterAdmission } from '@instar/ownership';
import type { Log } from '@instar/serving';
import type { Authorizer } from '../auth/authorizer.ts';
import type { AdmissionMetrics } from '../metrics/admission-metrics.ts';
import type { ResourceRegistry } from '../resource/registry.ts';
import { prune } from '../resource/resource.ts';
import { checkNamespace } from '../resource/write/namespace-lifecycle.ts';
import type { Admission, AdmissionOperation } from '../resource/write/write-request.ts';
import { FollowedConfigurations } from './followed-configurations.ts';
import { type HostServices, requestHost } from './request-host.ts';
import { subjectOf } from './subject-of.ts';
import type { WebhookConnections } from './webhook-connections.ts';

export interface ChainServices {
  readonly registry: ResourceRegistry;
  readonly authorizer: Authorizer;
  readonly connections: WebhookConnections;
  readonly metrics: AdmissionMetrics;
  readonly log: Log;
}

const GROUP = 'admissionregistration.k8s.io';

export class AdmissionChain implements Admission {
  readonly #services: HostServices;
  readonly #metrics: AdmissionMetrics;
  readonly #mutating: FollowedConfigurations;
  readonly #validating: FollowedConfigurations;

  constructor({ registry, metrics, ...services }: ChainServices) {
    this.#services = { ...services, namespaces: registry.get('', 'namespaces')!, observer: metrics.observer };
    this.#metrics = metrics;
    const follow = (plural: string): FollowedConfigurations =>
      new FollowedConfigurations(registry.get(GROUP, plural)!, services.log, () => this.#dropConnections());
    this.#mutating = follow('mutatingwebhookconfigurations');
    this.#validating = follow('validatingwebhookconfigurations');
  }

  /** Resolves when everything that is configured is in force. */
  async start(): Promise<void> {
    await Promise.all([this.#mutating.start(), this.#validating.start()]);
  }

  stop(): void {
    this.#mutating.stop();
    this.#validating.stop();
  }

  mutate(operation: AdmissionOperation): Promise<KubeObject | undefined> {
    return this.#metrics.step('admit', operation.operation, () => this.#admit(operation));
  }

  validate(operation: AdmissionOperation): Promise<void> {
    return this.#metrics.step('validate', operation.operation, () => this.#validate(operation));
  }

  async #admit(operation: AdmissionOperation): Promise<KubeObject | undefined> {
    await checkNamespace(operation, this.#services.namespaces);
    const { webhooks } = this.#mutating;
    if (webhooks.webhooks.length === 0 || exempt(operation)) return undefined;
    const { object } = operation;
    const before = object?.metadata.managedFields;
    const admitted = await mutate(webhooks, subjectOf(operation), object, requestHost(operation, this.#services));
    return admitted === object || admitted === undefined ? undefined : settled(admitted, before, operation);
  }

  async #validate(operation: AdmissionOperation): Promise<void> {
    const { webhooks } = this.#validating;
    if (webhooks.webhooks.length === 0 || exempt(operation)) return;
    await validate(webhooks, subjectOf(operation), operation.object, requestHost(operation, this.#services));
  }

  #dropConnections(): void {
    const all = [...this.#mutating.webhooks.webhooks, ...this.#validating.webhooks.webhooks];
    this.#services.connections.keepOnly(new Set(all));
  }
}

const exempt = ({ write: { resource } }: AdmissionOperation): boolean =>
  isExempt(resource.definition.group, resource.definition.names.plural);

/** What webhooks may not do to an object: spoil its managedFields, and leave in it what its schema does not know. */
function settled(admitted: KubeObject, before: KubeObject['metadata']['managedFields'], { write, decode }: AdmissionOperation): KubeObject {
  const { object, warning } = checkManagedFieldsAfterAdmission(admitted, before);
  if (warning !== undefined) write.warnings.push(warning);
  if (decode === undefined) prune(object, write.version);
  return object;
}
