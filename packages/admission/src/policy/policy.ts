// A ValidatingAdmissionPolicy and its bindings, compiled.
import type { LabelSelectorObject } from '@instar/machinery';
import type { Expression } from '../cel/expression.ts';
import {
  compileMatchConditions,
  type MatchConditionSource,
  type MatchConditions,
} from '../match/match-conditions.ts';
import { type CompiledMatch, compileMatch, type MatchResourcesSource } from './match-resources.ts';
import { PolicyCompiler, type VariableSource } from './policy-compiler.ts';

/** `paramKind`: the kind of the objects that parameterize a policy. */
export interface ParamKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** An entry of `validations` of a ValidatingAdmissionPolicy. */
export interface ValidationSource {
  readonly expression: string;
  readonly message?: string;
  readonly reason?: string;
  readonly messageExpression?: string;
}

/** An entry of `auditAnnotations` of a ValidatingAdmissionPolicy. */
export interface AuditAnnotationSource {
  readonly key: string;
  readonly valueExpression: string;
}

/** The spec of a ValidatingAdmissionPolicy of v1, with its defaults. */
export interface PolicySpec {
  readonly paramKind?: ParamKind;
  readonly matchConstraints?: MatchResourcesSource;
  readonly validations?: readonly ValidationSource[] | null;
  readonly failurePolicy?: string;
  readonly auditAnnotations?: readonly AuditAnnotationSource[] | null;
  readonly matchConditions?: readonly MatchConditionSource[] | null;
  readonly variables?: readonly VariableSource[] | null;
}

/** `paramRef`: which objects a binding passes to its policy as `params`. */
export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelectorObject;
  readonly parameterNotFoundAction?: string;
}

/** `spec` of a ValidatingAdmissionPolicyBinding. */
export interface BindingSpec {
  readonly policyName: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: MatchResourcesSource;
  readonly validationActions?: readonly string[] | null;
}

export interface CompiledValidation {
  readonly expression: Expression;
  readonly message: string;
  readonly messageExpression: Expression | undefined;
  readonly reason: string;
}

/** What validating and mutating policies have in common. */
export interface PolicyBase {
  readonly name: string;
  readonly paramKind: ParamKind | undefined;
  readonly match: CompiledMatch;
  readonly matchConditions: MatchConditions;
  readonly variables: ReadonlyMap<string, Expression>;
  readonly ignoresFailures: boolean;
}

/** A validating policy whose expressions, selectors and rules are parsed. */
export interface CompiledPolicy extends PolicyBase {
  readonly validations: readonly CompiledValidation[];
  readonly auditAnnotations: readonly { readonly key: string; readonly value: Expression }[];
}

/** What bindings of validating and mutating policies have in common. */
export interface BindingBase {
  readonly name: string;
  readonly policyName: string;
  readonly paramRef: ParamRef | undefined;
  /** Undefined: everything that the policy matches. */
  readonly match: CompiledMatch | undefined;
}

/** A binding whose selectors and rules are parsed. */
export interface CompiledBinding extends BindingBase {
  readonly actions: readonly string[];
}

type BaseSpec = Omit<PolicySpec, 'validations' | 'auditAnnotations'>;

/** The common part of a policy, and the compiler for its expressions. */
export function compileBase(
  name: string,
  spec: BaseSpec,
): { readonly base: PolicyBase; readonly compiler: PolicyCompiler } {
  const params = spec.paramKind !== undefined;
  const variables = spec.variables ?? [];
  const compiler = new PolicyCompiler({ params, hasVariables: variables.length > 0 });
  for (const variable of variables) compiler.variable(variable);
  const base = {
    name,
    paramKind: spec.paramKind,
    match: compileMatch(spec.matchConstraints ?? {}),
    matchConditions: compileMatchConditions(spec.matchConditions, params),
    variables: compiler.variables,
    ignoresFailures: spec.failurePolicy === 'Ignore',
  };
  return { base, compiler };
}

/** Compiles a policy: its expressions, selectors and rules are parsed once. */
export function compilePolicy(name: string, spec: PolicySpec): CompiledPolicy {
  const { base, compiler } = compileBase(name, spec);
  return {
    ...base,
    validations: (spec.validations ?? []).map((validation) => compileValidation(validation, compiler)),
    auditAnnotations: (spec.auditAnnotations ?? []).map(({ key, valueExpression }) => ({
      key,
      value: compiler.annotation(valueExpression),
    })),
  };
}

function compileValidation(
  { expression, message = '', messageExpression = '', reason }: ValidationSource,
  compiler: PolicyCompiler,
) {
  return {
    expression: compiler.validation(expression),
    message: message.trim(),
    messageExpression: messageExpression === '' ? undefined : compiler.message(messageExpression),
    reason: reason ?? 'Invalid',
  };
}

/** Compiles a binding: its selectors and rules are parsed once. */
export function compileBinding(
  name: string,
  { policyName, paramRef, matchResources, validationActions }: BindingSpec,
): CompiledBinding {
  return {
    name,
    policyName,
    paramRef,
    match: matchResources === undefined ? undefined : compileMatch(matchResources),
    actions: validationActions ?? [],
  };
}
