// A MutatingAdmissionPolicy, compiled. Its bindings are those of validating policies without actions.
import type { Expression } from '../cel/expression.ts';
import type { MatchConditionSource } from '../match/match-conditions.ts';
import type { MatchResourcesSource } from './match-resources.ts';
import { compileBase, type ParamKind, type PolicyBase } from './policy.ts';
import type { PolicyCompiler, VariableSource } from './policy-compiler.ts';

/** An entry of `mutations` of a MutatingAdmissionPolicy. */
export interface MutationSource {
  readonly patchType?: string;
  readonly applyConfiguration?: { readonly expression?: string };
  readonly jsonPatch?: { readonly expression?: string };
}

/** The spec of a MutatingAdmissionPolicy of v1, with its defaults. */
export interface MutatingPolicySpec {
  readonly paramKind?: ParamKind;
  readonly matchConstraints?: MatchResourcesSource;
  readonly variables?: readonly VariableSource[] | null;
  readonly mutations?: readonly MutationSource[] | null;
  readonly failurePolicy?: string;
  readonly matchConditions?: readonly MatchConditionSource[] | null;
  readonly reinvocationPolicy?: string;
}

export interface CompiledMutation {
  readonly type: 'ApplyConfiguration' | 'JSONPatch';
  readonly expression: Expression;
}

/** A mutating policy whose expressions, selectors and rules are parsed. */
export interface CompiledMutatingPolicy extends PolicyBase {
  readonly mutations: readonly CompiledMutation[];
  readonly reinvokes: boolean;
}

/** Compiles a mutating policy: its expressions, selectors and rules are parsed once. */
export function compileMutatingPolicy(name: string, spec: MutatingPolicySpec): CompiledMutatingPolicy {
  const { base, compiler } = compileBase(name, spec);
  return {
    ...base,
    mutations: (spec.mutations ?? []).map((mutation) => compileMutation(mutation, compiler)),
    reinvokes: spec.reinvocationPolicy === 'IfNeeded',
  };
}

function compileMutation(
  { patchType, applyConfiguration, jsonPatch }: MutationSource,
  compiler: PolicyCompiler,
): CompiledMutation {
  return patchType === 'JSONPatch'
    ? { type: patchType, expression: compiler.jsonPatch(jsonPatch?.expression ?? '') }
    : {
        type: 'ApplyConfiguration',
        expression: compiler.configuration(applyConfiguration?.expression ?? ''),
      };
}
