// Mutating policies and their bindings. Their CEL expressions are compiled as the admission chain does.
import {
  type BindingSpec,
  type MatchResourcesSource,
  type MutatingPolicySpec,
  type MutationSource,
  PolicyCompiler,
} from '@instar/admission';
import { type FieldError, FieldPath, fieldErrors, type KubeObject } from '@instar/machinery';
import { validateHead, validateReferences } from './admission-policy.ts';
import { validateVariable } from './policy-expressions.ts';

export interface MutatingPolicy extends KubeObject {
  spec: MutatingPolicySpec;
}

export interface MutatingBinding extends KubeObject {
  spec: BindingSpec;
}

const SPEC = FieldPath.of('spec');
/** Of what is deleted, nothing is left to change. */
const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
const REINVOCATIONS = ['IfNeeded', 'Never'];

export function validateMutatingPolicy({ spec }: MutatingPolicy, old?: MutatingPolicy): FieldError[] {
  const { paramKind, mutations, reinvocationPolicy = '' } = spec;
  const compiler = new PolicyCompiler({ params: paramKind !== undefined, hasVariables: true });
  const errors = validateHead(spec, old?.spec, validateOperations);
  (spec.variables ?? []).forEach((variable, index) => {
    errors.push(...validateVariable(variable, compiler, SPEC.child('variables').index(index)));
  });
  const at = SPEC.child('mutations');
  if ((mutations ?? []).length === 0)
    errors.push(fieldErrors.required(at, 'mutations must contain at least one item'));
  (mutations ?? []).forEach((mutation, index) => {
    errors.push(...validateMutation(mutation, compiler, at.index(index)));
  });
  const policy = SPEC.child('reinvocationPolicy');
  if (reinvocationPolicy === '') return [...errors, fieldErrors.required(policy)];
  return REINVOCATIONS.includes(reinvocationPolicy)
    ? errors
    : [...errors, fieldErrors.notSupported(policy, reinvocationPolicy, REINVOCATIONS)];
}

function validateOperations({ resourceRules }: MatchResourcesSource, path: FieldPath): FieldError[] {
  return (resourceRules ?? []).flatMap(({ operations }) =>
    (operations ?? [])
      .filter((operation) => !OPERATIONS.includes(operation))
      .map((operation) =>
        fieldErrors.notSupported(path.child('resourceRules', 'operations'), operation, OPERATIONS),
      ),
  );
}

type Field = 'applyConfiguration' | 'jsonPatch';
const TYPES = ['ApplyConfiguration', 'JSONPatch'];

function validateMutation(mutation: MutationSource, compiler: PolicyCompiler, path: FieldPath): FieldError[] {
  const { patchType = '' } = mutation;
  const at = path.child('patchType');
  switch (patchType) {
    case '':
      return [fieldErrors.required(at)];
    case 'JSONPatch':
      return validateForm(mutation, 'jsonPatch', 'applyConfiguration', path, (text) =>
        compiler.jsonPatch(text),
      );
    case 'ApplyConfiguration':
      return validateForm(mutation, 'applyConfiguration', 'jsonPatch', path, (text) =>
        compiler.configuration(text),
      );
    default:
      return [fieldErrors.notSupported(at, patchType, TYPES)];
  }
}

function validateForm(
  mutation: MutationSource,
  own: Field,
  other: Field,
  path: FieldPath,
  compile: (text: string) => { readonly error: string | undefined },
): FieldError[] {
  const errors: FieldError[] = [];
  const type = mutation.patchType!;
  const form = mutation[own];
  if (form === undefined)
    errors.push(fieldErrors.required(path.child(own), `must be specified when patchType is ${type}`));
  else errors.push(...validateExpression(form.expression ?? '', path.child(own, 'expression'), compile));
  if (mutation[other] !== undefined)
    errors.push(
      fieldErrors.invalid(path.child(other), `{${other}}`, `must not be specified when patchType is ${type}`),
    );
  return errors;
}

function validateExpression(
  expression: string,
  path: FieldPath,
  compile: (text: string) => { readonly error: string | undefined },
): FieldError[] {
  const text = expression.trim();
  if (text === '') return [fieldErrors.required(path)];
  const { error } = compile(text);
  return error === undefined ? [] : [fieldErrors.invalid(path, text, error)];
}

export const validateMutatingBinding = ({ spec }: MutatingBinding): FieldError[] => [
  ...validateReferences(spec),
  ...(spec.matchResources === undefined
    ? []
    : validateOperations(spec.matchResources, SPEC.child('matchResources'))),
];
