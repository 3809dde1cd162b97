// Policies and their bindings. Their CEL expressions are compiled as the admission chain does, in the order
// in which they may use each other.
import {
  type BindingSpec,
  type MatchResourcesSource,
  matchConditionErrors,
  PolicyCompiler,
  type PolicySpec,
} from '@instar/admission';
import {
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  type JsonValue,
  type KubeObject,
  validateLabelSelectorObject,
} from '@instar/machinery';
import { type Condition, validateConditions } from '../typed/condition.ts';
import {
  nameErrors,
  validateMatchResources,
  validateParamKind,
  validateParamRef,
} from './match-resources.ts';
import { validateAnnotations, validateValidation, validateVariable } from './policy-expressions.ts';

export interface Policy extends KubeObject {
  spec: PolicySpec;
  status?: {
    typeChecking?: { expressionWarnings?: { fieldRef: string; warning: string }[] | null };
    conditions?: Condition[] | null;
  };
}

export interface Binding extends KubeObject {
  spec: BindingSpec;
}

type PolicyHead = Pick<PolicySpec, 'failurePolicy' | 'paramKind' | 'matchConstraints' | 'matchConditions'>;
type BindingHead = Pick<BindingSpec, 'policyName' | 'paramRef' | 'matchResources'>;

const SPEC = FieldPath.of('spec');
const EMPTY = 'validations or auditAnnotations must contain at least one item';

export function validatePolicy({ spec, metadata }: Policy, old?: Policy): FieldError[] {
  const { paramKind, validations, auditAnnotations } = spec;
  const variables = spec.variables ?? [];
  const compiler = new PolicyCompiler({
    params: paramKind !== undefined,
    hasVariables: variables.length > 0,
  });
  const errors = validateHead(spec, old?.spec);
  variables.forEach((variable, index) => {
    errors.push(...validateVariable(variable, compiler, SPEC.child('variables').index(index)));
  });
  if (isEmpty(validations) && isEmpty(auditAnnotations)) {
    return [
      ...errors,
      fieldErrors.required(SPEC.child('validations'), EMPTY),
      fieldErrors.required(SPEC.child('auditAnnotations'), EMPTY),
    ];
  }
  validations?.forEach((validation, index) => {
    errors.push(...validateValidation(validation, compiler, SPEC.child('validations').index(index)));
  });
  return [
    ...errors,
    ...validateAnnotations(
      auditAnnotations ?? [],
      metadata.name ?? '',
      compiler,
      SPEC.child('auditAnnotations'),
    ),
  ];
}

/** What validating and mutating policies have in common; `more` is about the constraints. */
export function validateHead(
  spec: PolicyHead,
  old: PolicyHead | undefined,
  more: (match: MatchResourcesSource, path: FieldPath) => FieldError[] = () => [],
): FieldError[] {
  const { failurePolicy, paramKind, matchConstraints } = spec;
  const errors: FieldError[] = [];
  if (failurePolicy !== undefined && !['Fail', 'Ignore'].includes(failurePolicy)) {
    errors.push(fieldErrors.notSupported(SPEC.child('failurePolicy'), failurePolicy, ['Fail', 'Ignore']));
  }
  if (paramKind !== undefined) errors.push(...validateParamKind(paramKind, SPEC.child('paramKind')));
  return [
    ...errors,
    ...validateConstraints(spec),
    ...(matchConstraints === undefined ? [] : more(matchConstraints, SPEC.child('matchConstraints'))),
    ...validateMatchConditions(spec, old),
  ];
}

const isEmpty = (list: readonly unknown[] | null | undefined): boolean => (list ?? []).length === 0;

function validateConstraints({ matchConstraints }: PolicyHead): FieldError[] {
  const path = SPEC.child('matchConstraints');
  if (matchConstraints === undefined) return [fieldErrors.required(path)];
  const errors = validateMatchResources(matchConstraints, path);
  // Without a rule the types of objects are unknown.
  return isEmpty(matchConstraints.resourceRules)
    ? [...errors, fieldErrors.required(path.child('resourceRules'))]
    : errors;
}

/** Unchanged conditions are not validated again. */
function validateMatchConditions(
  { matchConditions, paramKind }: PolicyHead,
  old: PolicyHead | undefined,
): FieldError[] {
  const sameAsBefore =
    old !== undefined && sameJson(old.matchConditions, matchConditions) && sameJson(old.paramKind, paramKind);
  if (sameAsBefore) return [];
  return matchConditionErrors(matchConditions ?? [], SPEC.child('matchConditions'), {
    params: paramKind !== undefined,
  });
}

const sameJson = (a: unknown, b: unknown): boolean =>
  deepEqual((a ?? null) as JsonValue, (b ?? null) as JsonValue);

export function validatePolicyStatus({ status }: Policy): FieldError[] {
  const path = FieldPath.of('status', 'typeChecking', 'expressionWarnings');
  const errors = (status?.typeChecking?.expressionWarnings ?? []).flatMap(({ fieldRef, warning }, index) => [
    ...(warning === '' ? [fieldErrors.required(path.index(index).child('warning'))] : []),
    ...(fieldRef.trim() === '' ? [fieldErrors.required(path.index(index).child('fieldRef'))] : []),
  ]);
  return [...errors, ...validateConditions(status?.conditions ?? [], FieldPath.of('status', 'conditions'))];
}

export const validateBinding = ({ spec }: Binding): FieldError[] => [
  ...validateReferences(spec),
  ...validateActions(spec.validationActions ?? [], SPEC.child('validationActions')),
];

/** What bindings of validating and mutating policies have in common. */
export function validateReferences({ policyName = '', paramRef, matchResources }: BindingHead): FieldError[] {
  const path = SPEC.child('policyName');
  return [
    ...(policyName === '' ? [fieldErrors.required(path)] : nameErrors(policyName, path)),
    ...(paramRef === undefined ? [] : validateParamRef(paramRef, SPEC.child('paramRef'))),
    ...(paramRef?.selector === undefined
      ? []
      : validateLabelSelectorObject(paramRef.selector, SPEC.child('paramRef', 'selector'))),
    ...(matchResources === undefined
      ? []
      : validateMatchResources(matchResources, SPEC.child('matchResources'))),
  ];
}

const ACTIONS = ['Audit', 'Deny', 'Warn'];
const BOTH =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';

function validateActions(actions: readonly string[], path: FieldPath): FieldError[] {
  if (actions.length === 0) return [fieldErrors.required(path, 'at least one validation action is required')];
  const errors: FieldError[] = [];
  actions.forEach((action, index) => {
    if (!ACTIONS.includes(action)) errors.push(fieldErrors.notSupported(path.index(index), action, ACTIONS));
    if (actions.indexOf(action) < index) errors.push(fieldErrors.duplicate(path.index(index), action));
  });
  if (actions.includes('Deny') && actions.includes('Warn'))
    errors.push(fieldErrors.invalid(path, [...actions], BOTH));
  return errors;
}
