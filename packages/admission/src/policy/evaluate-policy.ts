// Evaluates one policy on one request with one set of parameters: the decision of each validation, and the
// audit annotations.

import { typeOf } from '@instar/cel';
import { maxMessageBytes, runtimeCostBudget } from '@instar/cel/kubernetes';
import { utf8Length } from '@instar/go';
import type { JsonValue } from '@instar/machinery';
import { Activation } from '../cel/activation.ts';
import { Budget, evaluate, OutOfBudget } from '../cel/evaluate.ts';
import { requestValue } from '../cel/request-value.ts';
import type { AdmissionHost } from '../host.ts';
import { evaluateConditions } from '../match/match-conditions.ts';
import type { AdmissionSubject, ResourceMapping } from '../subject.ts';
import type { VersionedObject } from '../versioned-object.ts';
import type { CompiledPolicy, CompiledValidation } from './policy.ts';

export interface Decision {
  readonly denies: boolean;
  readonly evaluation: 'admit' | 'deny' | 'error';
  readonly message: string;
  /** Empty for errors. */
  readonly reason: string;
  readonly milliseconds: number;
}

export type Annotation =
  | { readonly key: string; readonly value: string }
  /** Refuses the request. */
  | { readonly error: string };

export interface PolicyOutcome {
  readonly decisions: readonly Decision[];
  readonly annotations: readonly Annotation[];
}

export interface PolicyInput {
  readonly subject: AdmissionSubject;
  readonly mapping: ResourceMapping;
  readonly versioned: VersionedObject;
  readonly params: JsonValue;
  /** Null if cluster-scoped. */
  readonly namespace: JsonValue;
  readonly host: Pick<AdmissionHost, 'authorize' | 'now' | 'observer'>;
}

const NOTHING: PolicyOutcome = { decisions: [], annotations: [] };

export function evaluatePolicy(policy: CompiledPolicy, input: PolicyInput): PolicyOutcome {
  const { subject, versioned, host, params, namespace } = input;
  const activation = new Activation({
    object: versioned.objectValue,
    oldObject: versioned.oldValue,
    request: requestValue(subject, { resource: input.mapping.resource, kind: versioned.kind }),
    namespaceObject: namespace,
    params,
    authorize: host.authorize,
    subject,
    variables: policy.variables,
  });
  const matched = matches(policy, activation, input);
  if (matched === false) return NOTHING;
  if (matched !== true) return { decisions: [errorDecision(policy, matched.error)], annotations: [] };
  try {
    const budget = new Budget(runtimeCostBudget);
    const decisions = policy.validations.map((validation) =>
      decide(validation, policy, activation, budget, host),
    );
    return { decisions, annotations: annotationsOf(policy, activation) };
  } catch (error) {
    if (error instanceof OutOfBudget)
      return { decisions: [errorDecision(policy, error.message)], annotations: [] };
    throw error;
  }
}

function errorDecision({ ignoresFailures }: CompiledPolicy, message: string, milliseconds = 0): Decision {
  return { denies: !ignoresFailures, evaluation: 'error', message, reason: '', milliseconds };
}

function matches(
  policy: CompiledPolicy,
  activation: Activation,
  { host, subject }: PolicyInput,
): boolean | { readonly error: string } {
  if (policy.matchConditions.length === 0) return true;
  const start = host.now();
  const outcome = evaluateConditions(policy.matchConditions, activation);
  const about = {
    name: policy.name,
    kind: 'policy',
    type: 'validate',
    operation: subject.operation,
  } as const;
  const errors = 'error' in outcome ? outcome.failures : 0;
  host.observer.conditions({ ...about, milliseconds: host.now() - start, errors, excluded: false });
  if ('matches' in outcome) return outcome.matches;
  return policy.ignoresFailures ? false : outcome;
}

function decide(
  validation: CompiledValidation,
  policy: CompiledPolicy,
  activation: Activation,
  budget: Budget,
  host: PolicyInput['host'],
): Decision {
  const start = host.now();
  const result = evaluate(validation.expression, activation, budget);
  const milliseconds = host.now() - start;
  if ('error' in result) return errorDecision(policy, result.error, milliseconds);
  if (result.value === true)
    return { denies: false, evaluation: 'admit', message: '', reason: '', milliseconds };
  return {
    denies: true,
    evaluation: 'deny',
    message: messageOf(validation, activation, budget),
    reason: validation.reason,
    milliseconds,
  };
}

/** The result of the messageExpression, else the message, else the expression itself. */
function messageOf(
  { expression, message, messageExpression }: CompiledValidation,
  activation: Activation,
  budget: Budget,
): string {
  const given = messageExpression === undefined ? undefined : evaluate(messageExpression, activation, budget);
  const text =
    given !== undefined && 'value' in given && typeof given.value === 'string' ? given.value.trim() : '';
  if (text !== '' && !text.includes('\n') && utf8Length(text) <= maxMessageBytes) return text;
  return message === '' ? `failed expression: ${expression.text.trim()}` : message;
}

/** Annotations have a separate budget. */
function annotationsOf(
  { auditAnnotations, ignoresFailures }: CompiledPolicy,
  activation: Activation,
): Annotation[] {
  const budget = new Budget(runtimeCostBudget);
  return auditAnnotations.flatMap(({ key, value: expression }): Annotation[] => {
    const result = evaluate(expression, activation, budget);
    if ('error' in result) return ignoresFailures ? [] : [{ error: result.error }];
    if (result.value === null) return [];
    if (typeof result.value !== 'string') {
      const type = typeOf(result.value);
      const why = `valueExpression '${expression.text}' resulted in unsupported return type: ${type}. Return type must be either string or null.`;
      return [{ error: why }];
    }
    const value = result.value.trim();
    return value === '' ? [] : [{ key, value }];
  });
}
