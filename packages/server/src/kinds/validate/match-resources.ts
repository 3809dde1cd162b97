// The references of policies and bindings: resources, and the objects with parameters.
import type { MatchResourcesSource, ParamKind, ParamRef, RuleSource } from '@instar/admission';
import {
  nameIsDnsSubdomain,
  nameIsPathSegment,
  validateDns1035Label,
  validateDns1123Subdomain,
} from '@instar/go';
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  parseApiVersion,
  validateLabelSelectorObject,
} from '@instar/machinery';
import { validateWebhookRule, type WebhookRule } from './webhook-rule.ts';

export const nameErrors = (name: string, path: FieldPath): FieldError[] =>
  nameIsDnsSubdomain(name, false).map((reason) => fieldErrors.invalid(path, name, reason));

export function validateMatchResources(match: MatchResourcesSource, path: FieldPath): FieldError[] {
  const { matchPolicy } = match;
  const errors: FieldError[] = [];
  if (matchPolicy !== undefined && !['Equivalent', 'Exact'].includes(matchPolicy)) {
    errors.push(fieldErrors.notSupported(path.child('matchPolicy'), matchPolicy, ['Equivalent', 'Exact']));
  }
  errors.push(
    ...validateLabelSelectorObject(match.namespaceSelector, path.child('namespaceSelector')),
    ...validateLabelSelectorObject(match.objectSelector, path.child('objectSelector')),
  );
  for (const field of ['resourceRules', 'excludeResourceRules'] as const) {
    match[field]?.forEach((rule, index) => {
      errors.push(...validateNamedRule(rule, path.child(field).index(index)));
    });
  }
  return errors;
}

function validateNamedRule(rule: RuleSource, path: FieldPath): FieldError[] {
  const names = rule.resourceNames ?? [];
  const errors = names.flatMap((name, index) => {
    const at = path.child('resourceNames').index(index);
    const faults = nameIsPathSegment(name, false).map((reason) => fieldErrors.invalid(at, name, reason));
    return names.indexOf(name) < index ? [...faults, fieldErrors.duplicate(at, name)] : faults;
  });
  return [...errors, ...validateWebhookRule(rule as WebhookRule, path)];
}

export function validateParamKind(
  { apiVersion = '', kind = '' }: Partial<ParamKind>,
  path: FieldPath,
): FieldError[] {
  return [
    ...validateApiVersion(apiVersion, path.child('apiVersion')),
    ...validateKind(kind, path.child('kind')),
  ];
}

function validateApiVersion(apiVersion: string, path: FieldPath): FieldError[] {
  if (apiVersion === '') return [fieldErrors.required(path)];
  const parsed = parseApiVersion(apiVersion);
  if (parsed === undefined)
    return [fieldErrors.invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const { group, version } = parsed;
  const errors: FieldError[] = [];
  const groupFaults = group === '' ? [] : validateDns1123Subdomain(group);
  if (groupFaults.length > 0) errors.push(fieldErrors.invalid(path, group, groupFaults.join(',')));
  if (version === '') return [...errors, fieldErrors.invalid(path, apiVersion, 'version must be specified')];
  const versionFaults = validateDns1035Label(version);
  if (versionFaults.length > 0) errors.push(fieldErrors.invalid(path, version, versionFaults.join(',')));
  return errors;
}

function validateKind(kind: string, path: FieldPath): FieldError[] {
  if (kind === '') return [fieldErrors.required(path)];
  const faults = validateDns1035Label(kind.toLowerCase());
  if (faults.length === 0) return [];
  return [
    fieldErrors.invalid(path, kind, `may have mixed case, but should otherwise match: ${faults.join(',')}`),
  ];
}

const EXCLUSIVE = 'name and selector are mutually exclusive';

/** The selector itself is not validated here. */
export function validateParamRef(
  { name = '', selector, parameterNotFoundAction: action = '' }: ParamRef,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] =
    name === ''
      ? []
      : nameIsPathSegment(name, false).map((r) => fieldErrors.invalid(path.child('name'), name, r));
  if (name !== '' && selector !== undefined) {
    errors.push(
      fieldErrors.forbidden(path.child('name'), EXCLUSIVE),
      fieldErrors.forbidden(path.child('selector'), EXCLUSIVE),
    );
  }
  if (name === '' && selector === undefined)
    errors.push(fieldErrors.required(path, 'one of name or selector must be specified'));
  const at = path.child('parameterNotFoundAction');
  if (action === '') return [...errors, fieldErrors.required(at)];
  return action === 'Deny' || action === 'Allow'
    ? errors
    : [...errors, fieldErrors.notSupported(at, action, ['Deny', 'Allow'])];
}
