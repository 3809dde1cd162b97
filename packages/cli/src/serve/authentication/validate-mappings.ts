// Validation of how claims become a user: claimMappings and userValidationRules.
import { validateDns1123Subdomain } from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import { ClaimExpression } from './claim-expressions.ts';
import type { JwtSettings, PrefixedClaimOrExpression } from './jwt-settings.ts';

type Mappings = Partial<JwtSettings['claimMappings']>;

const RESERVED = /(?:^|\.)(?:k8s|kubernetes)\.io$/;

export function validateMappings(
  { username = {}, groups = {}, uid = {}, extra = [] }: Mappings,
  path: FieldPath,
  rulesUseEmailVerified: boolean,
): FieldError[] {
  const name = claimOrExpression(username, path.child('username'), true);
  const extras = validateExtra(extra, path.child('extra'));
  const errors = [
    ...name.errors,
    ...claimOrExpression(groups, path.child('groups'), false).errors,
    ...validateUid(uid, path.child('uid')),
    ...extras.errors,
  ];
  const usesVerified =
    rulesUseEmailVerified || [...extras.compiled, ...name.compiled].some((one) => one.uses('email_verified'));
  if (!usesVerified && name.compiled.some((one) => one.uses('email')))
    errors.push(
      fieldErrors.invalid(
        path.child('username').child('expression'),
        username.expression ?? '',
        'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression',
      ),
    );
  return errors;
}

interface Validated {
  readonly errors: FieldError[];
  readonly compiled: readonly ClaimExpression[];
}

function claimOrExpression(
  mapping: PrefixedClaimOrExpression,
  path: FieldPath,
  isRequired: boolean,
): Validated {
  const { claim = '', expression = '', prefix } = mapping;
  const only = (...errors: FieldError[]): Validated => ({ errors, compiled: [] });
  if (claim !== '' && expression !== '')
    return only(fieldErrors.invalid(path, '', "claim and expression can't both be set"));
  if (expression !== '') {
    const wrong =
      prefix === undefined
        ? []
        : [fieldErrors.invalid(path.child('prefix'), prefix, 'may not be specified when expression is set')];
    const { errors, compiled } = compiledAt(expression, path.child('expression'));
    return { errors: [...wrong, ...errors], compiled };
  }
  if (claim === '')
    return isRequired ? only(fieldErrors.required(path, 'claim or expression is required')) : only();
  return prefix === undefined
    ? only(
        fieldErrors.required(
          path.child('prefix'),
          'prefix is required when claim is set. It can be set to an empty string to disable prefixing',
        ),
      )
    : only();
}

function compiledAt(expression: string, path: FieldPath): Validated {
  const compiled = ClaimExpression.compile(expression, 'claims', false);
  return 'fault' in compiled
    ? { errors: [fieldErrors.invalid(path, expression, compiled.fault)], compiled: [] }
    : { errors: [], compiled: [compiled] };
}

function validateUid(
  { claim = '', expression = '' }: NonNullable<Mappings['uid']>,
  path: FieldPath,
): FieldError[] {
  if (claim !== '' && expression !== '')
    return [fieldErrors.invalid(path, '', "claim and expression can't both be set")];
  return expression === '' ? [] : compiledAt(expression, path.child('expression')).errors;
}

function validateExtra(extra: NonNullable<Mappings['extra']>, path: FieldPath): Validated {
  const keys = new Set<string>();
  const all = extra.map(({ key = '', valueExpression = '' }, index): Validated => {
    const at = path.index(index);
    const errors = validateKey(key, at.child('key'));
    if (keys.has(key))
      return { errors: [...errors, fieldErrors.duplicate(at.child('key'), key)], compiled: [] };
    keys.add(key);
    if (valueExpression === '')
      return { errors: [...errors, fieldErrors.required(at.child('valueExpression'))], compiled: [] };
    const value = compiledAt(valueExpression, at.child('valueExpression'));
    return { errors: [...errors, ...value.errors], compiled: value.compiled };
  });
  return {
    errors: all.flatMap(({ errors }) => errors),
    compiled: all.flatMap(({ compiled }) => compiled),
  };
}

function validateKey(key: string, path: FieldPath): FieldError[] {
  const refuse = (why: string): FieldError => fieldErrors.invalid(path, key, why);
  return [
    ...domainPrefixFaults(key, path),
    ...(key === key.toLowerCase() ? [] : [refuse('must be lowercase')]),
    ...(key.includes('/') && RESERVED.test(key.split('/', 1)[0]!)
      ? [refuse('k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use')]
      : []),
  ];
}

function domainPrefixFaults(key: string, path: FieldPath): FieldError[] {
  if (key === '') return [fieldErrors.required(path)];
  const slash = key.indexOf('/');
  const [host, rest] = [key.slice(0, slash), key.slice(slash + 1)];
  if (slash <= 0 || rest === '')
    return [fieldErrors.invalid(path, key, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  return [
    ...validateDns1123Subdomain(host).map((why) => fieldErrors.invalid(path, host, why)),
    ...(/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(rest)
      ? []
      : [fieldErrors.invalid(path, rest, 'Invalid path')]),
  ];
}

export function validateUserRules(
  rules: NonNullable<JwtSettings['userValidationRules']>,
  path: FieldPath,
): FieldError[] {
  const seen = new Set<string>();
  return rules.flatMap(({ expression = '' }, index) => {
    const at = path.index(index).child('expression');
    if (expression === '') return [fieldErrors.required(at)];
    if (seen.has(expression)) return [fieldErrors.duplicate(at, expression)];
    seen.add(expression);
    const compiled = ClaimExpression.compile(expression, 'user', true);
    return 'fault' in compiled ? [fieldErrors.invalid(at, expression, compiled.fault)] : [];
  });
}
