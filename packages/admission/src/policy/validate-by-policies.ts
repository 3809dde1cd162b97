// Runs validating admission policies on one request: every binding that matches, with every object of its
// parameters. The first denial is reported.
import type { JsonValue, KubeObject } from '@instar/machinery';
import type { ObservedCheck } from '../observer.ts';
import type { AdmissionSubject, ResourceMapping } from '../subject.ts';
import { ObjectVersions, type VersionedObject } from '../versioned-object.ts';
import { type Annotation, type Decision, evaluatePolicy } from './evaluate-policy.ts';
import { matchResources } from './match-resources.ts';
import type { CompiledBinding, CompiledPolicy } from './policy.ts';
import { type Denial, denied } from './policy-denial.ts';
import { isBound, namespaceOf, type PolicyHost, paramsOf } from './policy-host.ts';
import type { BoundPolicy, PolicySet } from './policy-set.ts';

/** Throws an ApiError to deny. */
export async function validateByPolicies(
  policies: PolicySet,
  subject: AdmissionSubject,
  object: KubeObject | undefined,
  host: PolicyHost,
): Promise<void> {
  const candidates = policies.candidates(subject);
  if (candidates.length === 0) return;
  const run = new PolicyRun(subject, object, host);
  for (const bound of candidates) await run.check(bound);
  run.finish();
}

interface AuditedFailure {
  readonly message: string;
  readonly policy: string;
  readonly binding: string;
  readonly expressionIndex: number;
  readonly validationActions: readonly string[];
}

const MAX_AUDITED = 50;
const MAX_ANNOTATION_CHARACTERS = 10 * 1024;

class PolicyRun {
  readonly #subject: AdmissionSubject;
  readonly #object: KubeObject | undefined;
  readonly #host: PolicyHost;
  readonly #versions: ObjectVersions;
  readonly #denials: Denial[] = [];
  readonly #audited: AuditedFailure[] = [];
  #namespace: Promise<JsonValue> | undefined;

  constructor(subject: AdmissionSubject, object: KubeObject | undefined, host: PolicyHost) {
    this.#subject = subject;
    this.#object = object;
    this.#host = host;
    this.#versions = new ObjectVersions(subject, object, host);
  }

  async check({ policy, bindings }: BoundPolicy): Promise<void> {
    const mapping = await this.#mappingOf(policy);
    if (mapping === undefined) return;
    const annotations = new Map<string, Set<string>>();
    for (const binding of bindings) await this.#bind(policy, binding, mapping, annotations);
    for (const [key, values] of annotations)
      this.#host.annotate(`${policy.name}/${key}`, [...values].join(', '));
  }

  /** Reports the decision. */
  finish(): void {
    if (this.#audited.length > 0) {
      this.#host.annotate(
        'validation.policy.admission.k8s.io/validation_failure',
        JSON.stringify(this.#audited.slice(0, MAX_AUDITED)),
      );
    }
    const first = this.#denials[0];
    if (first !== undefined) throw denied(first, this.#subject, this.#object);
  }

  async #mappingOf(policy: CompiledPolicy): Promise<ResourceMapping | undefined> {
    try {
      const mapping = await matchResources(
        policy.match,
        this.#subject,
        this.#object,
        this.#host.namespaceLabels,
      );
      const fault = mapping && policy.paramKind && this.#host.paramKindFault(policy.paramKind);
      if (fault === undefined) return mapping;
      this.#misconfigured(policy, undefined, fault);
    } catch (error) {
      this.#misconfigured(policy, undefined, textOf(error));
    }
    return undefined;
  }

  async #bind(
    policy: CompiledPolicy,
    binding: CompiledBinding,
    mapping: ResourceMapping,
    annotations: Map<string, Set<string>>,
  ): Promise<void> {
    const found = await this.#prepared(policy, binding, mapping);
    if (found === undefined || found.params.length === 0) return;
    this.#namespace ??= namespaceOf(this.#subject, this.#host);
    const namespace = await this.#namespace;
    const input = {
      subject: this.#subject,
      mapping,
      versioned: found.versioned,
      namespace,
      host: this.#host,
    };
    for (const params of found.params) {
      const outcome = evaluatePolicy(policy, { ...input, params });
      for (const [index, decision] of outcome.decisions.entries())
        this.#enforce(policy, binding, decision, index);
      for (const annotation of outcome.annotations) this.#annotate(policy, binding, annotation, annotations);
    }
  }

  /** Undefined if the binding does not match this request, or cannot be used. */
  async #prepared(policy: CompiledPolicy, binding: CompiledBinding, mapping: ResourceMapping) {
    try {
      if (!(await isBound(binding, this.#subject, this.#object, this.#host))) return undefined;
      const params = await paramsOf(policy, binding, this.#subject, this.#host);
      return { params, versioned: await this.#inKind(mapping) };
    } catch (error) {
      this.#misconfigured(policy, binding, textOf(error));
      return undefined;
    }
  }

  async #inKind({ kind }: ResourceMapping): Promise<VersionedObject> {
    try {
      return await this.#versions.in(kind);
    } catch (error) {
      throw new Error(`failed to convert object version: ${textOf(error)}`);
    }
  }

  #misconfigured(policy: CompiledPolicy, binding: CompiledBinding | undefined, why: string): void {
    if (policy.ignoresFailures) return;
    const message = `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${why}`;
    this.#denials.push({ policy: policy.name, binding: binding?.name, message, reason: '' });
  }

  #enforce(policy: CompiledPolicy, binding: CompiledBinding, decision: Decision, index: number): void {
    if (!decision.denies) {
      if (decision.evaluation === 'error') this.#observe(policy, binding, decision, 'allow');
      return;
    }
    const { message, reason } = decision;
    for (const action of binding.actions) {
      if (action === 'Deny') {
        this.#denials.push({ policy: policy.name, binding: binding.name, message, reason });
        this.#observe(policy, binding, decision, 'deny');
      } else if (action === 'Audit') {
        const { name, policyName, actions } = binding;
        this.#audited.push({
          message,
          policy: policyName,
          binding: name,
          expressionIndex: index,
          validationActions: actions,
        });
        this.#observe(policy, binding, decision, 'audit');
      } else if (action === 'Warn') {
        this.#host.warn(
          `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${message}`,
        );
        this.#observe(policy, binding, decision, 'warn');
      }
    }
  }

  #annotate(
    policy: CompiledPolicy,
    binding: CompiledBinding,
    annotation: Annotation,
    collected: Map<string, Set<string>>,
  ): void {
    if ('error' in annotation) {
      const decision: Decision = {
        denies: true,
        evaluation: 'error',
        message: annotation.error,
        reason: '',
        milliseconds: 0,
      };
      this.#denials.push({
        policy: policy.name,
        binding: binding.name,
        message: annotation.error,
        reason: '',
      });
      this.#observe(policy, binding, decision, 'deny');
      return;
    }
    const values = collected.get(annotation.key) ?? new Set();
    collected.set(annotation.key, values.add(annotation.value.slice(0, MAX_ANNOTATION_CHARACTERS)));
  }

  #observe(
    policy: CompiledPolicy,
    binding: CompiledBinding,
    decision: Decision,
    action: ObservedCheck['action'],
  ): void {
    const { milliseconds } = decision;
    this.#host.observer.check({
      policy: policy.name,
      binding: binding.name,
      errorType: errorTypeOf(decision),
      action,
      milliseconds,
    });
  }
}

const textOf = (error: unknown): string => (error as Error).message;

function errorTypeOf({ evaluation, message }: Decision): ObservedCheck['errorType'] {
  if (evaluation === 'admit') return 'no_error';
  if (message.startsWith('compilation')) return 'compile_error';
  return message.startsWith('validation failed due to running out of cost budget')
    ? 'out_of_budget'
    : 'invalid_error';
}
