// Runs mutating admission policies on one request: every binding that matches, with every object of its
// parameters, each with the changes of those before. Failures are collected, and deny in the end.
import {
  ApiError,
  apiErrors,
  deepEqual,
  type GroupVersionKind,
  isJsonObject,
  type JsonValue,
  type KubeObject,
  printApiVersion,
} from '@instar/machinery';
import { Activation } from '../cel/activation.ts';
import { requestValue } from '../cel/request-value.ts';
import { evaluateConditions } from '../match/match-conditions.ts';
import type { ObservedMutation } from '../observer.ts';
import type { Reinvocation } from '../reinvocation.ts';
import type { AdmissionSubject, ResourceMapping } from '../subject.ts';
import { inVersion, sameKind, type VersionedObject } from '../versioned-object.ts';
import { applyMutation, MutationFailure } from './apply-mutation.ts';
import { matchResources } from './match-resources.ts';
import type { CompiledMutatingPolicy, CompiledMutation } from './mutating-policy.ts';
import type { BindingBase } from './policy.ts';
import { displayName } from './policy-denial.ts';
import { isBound, namespaceOf, type PolicyHost, paramsOf } from './policy-host.ts';
import type { BoundPolicy, PolicySet } from './policy-set.ts';

type Policies = PolicySet<CompiledMutatingPolicy, BindingBase>;

/**
 * The resulting object, in the version of the request; undefined if there is none. Throws an ApiError to
 * deny.
 */
export async function mutateByPolicies(
  policies: Policies,
  subject: AdmissionSubject,
  object: KubeObject | undefined,
  host: PolicyHost,
  reinvocation: Reinvocation,
): Promise<KubeObject | undefined> {
  // Nothing is left to change of what is deleted.
  if (subject.operation === 'DELETE') return object;
  const candidates = policies.candidates(subject);
  if (candidates.length === 0) return object;
  const run = new MutationRun(subject, object, host, reinvocation);
  const invocations: Invocation[] = [];
  for (const bound of candidates) invocations.push(...(await run.invocationsOf(bound)));
  reinvocation.policies.start(object);
  const result = await run.invoke(invocations);
  reinvocation.policies.end(result);
  run.finish();
  return result;
}

interface Invocation {
  readonly policy: CompiledMutatingPolicy;
  readonly binding: BindingBase;
  readonly params: JsonValue;
  readonly mapping: ResourceMapping;
}

interface Failure {
  readonly message: string;
  readonly reason: string;
}

class MutationRun {
  readonly #subject: AdmissionSubject;
  readonly #given: KubeObject | undefined;
  readonly #host: PolicyHost;
  readonly #reinvocation: Reinvocation;
  readonly #failures: Failure[] = [];
  #current: VersionedObject | undefined;
  #isDirty = false;
  #namespace: JsonValue = null;

  constructor(
    subject: AdmissionSubject,
    object: KubeObject | undefined,
    host: PolicyHost,
    reinvocation: Reinvocation,
  ) {
    this.#subject = subject;
    this.#given = object;
    this.#host = host;
    this.#reinvocation = reinvocation;
  }

  /** All are collected before the first one changes the object. */
  async invocationsOf({ policy, bindings }: Candidate): Promise<Invocation[]> {
    const mapping = await this.#mappingOf(policy);
    if (mapping === undefined) return [];
    const found: Invocation[] = [];
    for (const binding of bindings) {
      try {
        if (!(await isBound(binding, this.#subject, this.#given, this.#host))) continue;
        const params = await paramsOf(policy, binding, this.#subject, this.#host);
        found.push(...params.map((each) => ({ policy, binding, params: each, mapping })));
      } catch (error) {
        this.#fail(policy, binding, `failed to configure binding: ${textOf(error)}`);
      }
    }
    return found;
  }

  async #mappingOf(policy: CompiledMutatingPolicy): Promise<ResourceMapping | undefined> {
    const { namespaceLabels, paramKindFault } = this.#host;
    try {
      const mapping = await matchResources(policy.match, this.#subject, this.#given, namespaceLabels);
      const fault = mapping && policy.paramKind && paramKindFault(policy.paramKind);
      if (fault === undefined) return mapping;
      this.#fail(policy, undefined, `failed to configure policy: ${fault}`);
    } catch (error) {
      this.#fail(policy, undefined, `failed to configure policy: ${textOf(error)}`);
    }
    return undefined;
  }

  async invoke(invocations: readonly Invocation[]): Promise<KubeObject | undefined> {
    if (invocations.length > 0) this.#namespace = await namespaceOf(this.#subject, this.#host);
    for (const invocation of invocations) await this.#invoke(invocation);
    const object = this.#isDirty ? this.#current?.object : undefined;
    if (object === undefined) return this.#given;
    this.#reinvocation.policies.changed();
    const apiVersion = printApiVersion(this.#subject.kind);
    return object.apiVersion === apiVersion ? object : this.#host.convert(object, apiVersion);
  }

  async #invoke(invocation: Invocation): Promise<void> {
    const { policy, binding, mapping } = invocation;
    let before: VersionedObject;
    try {
      before = await this.#in(mapping.kind);
    } catch (error) {
      this.#fail(policy, undefined, `failed to configure policy: ${textOf(error)}`);
      return;
    }
    if (!this.#meetsConditions(invocation, before)) return;
    const { policies } = this.#reinvocation;
    const id = idOf(invocation);
    if (!policies.admits(id)) return;
    if (before.object !== undefined)
      for (const mutation of policy.mutations) this.#mutate(mutation, invocation, binding);
    const changed = !deepEqual(before.objectValue, this.#current!.objectValue);
    policies.invoked(id, { changed, reinvokes: policy.reinvokes });
  }

  #mutate(mutation: CompiledMutation, invocation: Invocation, binding: BindingBase): void {
    const versioned = this.#current!;
    const start = this.#host.now();
    const observe = (errorType: ObservedMutation['errorType']): void =>
      this.#host.observer.mutation({
        policy: invocation.policy.name,
        binding: binding.name,
        errorType,
        milliseconds: this.#host.now() - start,
      });
    try {
      const activation = this.#activation(invocation, versioned);
      const object = applyMutation(mutation, versioned.object!, activation, this.#host);
      this.#current = versioned.withObject(object);
      this.#isDirty = true;
      observe('no_error');
    } catch (error) {
      if (error instanceof MutationFailure) {
        observe(error.errorType);
        this.#fail(invocation.policy, binding, error.message, 'Invalid');
      } else {
        observe('invalid_error');
        throw error;
      }
    }
  }

  #meetsConditions(invocation: Invocation, versioned: VersionedObject): boolean {
    const { policy, binding } = invocation;
    if (policy.matchConditions.length === 0) return true;
    const { observer, now } = this.#host;
    const start = now();
    const outcome = evaluateConditions(policy.matchConditions, this.#activation(invocation, versioned));
    observer.conditions({
      name: policy.name,
      kind: 'policy',
      type: 'validate',
      operation: this.#subject.operation,
      milliseconds: now() - start,
      errors: 'error' in outcome ? outcome.failures : 0,
      excluded: 'matches' in outcome && !outcome.matches,
    });
    if ('matches' in outcome) return outcome.matches;
    this.#fail(policy, binding, outcome.error, 'Invalid');
    return false;
  }

  #activation({ policy, params, mapping }: Invocation, versioned: VersionedObject): Activation {
    return new Activation({
      object: versioned.objectValue,
      oldObject: versioned.oldValue,
      request: requestValue(this.#subject, mapping),
      namespaceObject: this.#namespace,
      params,
      authorize: this.#host.authorize,
      subject: this.#subject,
      variables: policy.variables,
    });
  }

  async #in(kind: GroupVersionKind): Promise<VersionedObject> {
    const current = this.#current;
    if (current !== undefined && sameKind(current.kind, kind)) return current;
    const [object, from] =
      current !== undefined && this.#isDirty
        ? [current.object, current.kind]
        : [this.#given, this.#subject.kind];
    this.#current = await inVersion(kind, this.#subject, object, from, this.#host);
    return this.#current;
  }

  #fail(policy: CompiledMutatingPolicy, binding: BindingBase | undefined, why: string, reason = ''): void {
    if (policy.ignoresFailures) return;
    const by =
      binding === undefined
        ? `policy ${JSON.stringify(policy.name)}`
        : `policy '${policy.name}' with binding '${binding.name}'`;
    this.#failures.push({ message: `${by} denied request: ${why}`, reason });
  }

  /** The first failure is the message, and all are causes. */
  finish(): void {
    const first = this.#failures[0];
    if (first === undefined) return;
    const { group, resource } = this.#subject.resource;
    const { status } = apiErrors.forbidden({ group, resource }, displayName(this.#subject, this.#given), '');
    throw new ApiError({
      ...status,
      message: first.message,
      ...(first.reason === 'Invalid' && { reason: 'Invalid' }),
      details: { ...status.details, causes: this.#failures.map(({ message }) => ({ message })) },
    });
  }
}

type Candidate = BoundPolicy<CompiledMutatingPolicy, BindingBase>;

const textOf = (error: unknown): string => (error as Error).message;

function idOf({ policy, binding, params }: Invocation): string {
  const { namespace = '', name = '' } =
    isJsonObject(params) && isJsonObject(params['metadata']) ? params['metadata'] : {};
  return `${policy.name}/${binding.name}/${String(namespace)}/${String(name)}`;
}
