// Validation of an AuthenticationConfiguration, in the order and the words of kube-apiserver.
import { X509Certificate } from 'node:crypto';
import { type FieldError, FieldPath, fieldErrors } from '@instar/machinery';
import { ClaimExpression } from './claim-expressions.ts';
import type { AuthenticationSettings, JwtSettings } from './jwt-settings.ts';
import { validateMappings, validateUserRules } from './validate-mappings.ts';

const MAX_ISSUERS = 64;
const ROOT = FieldPath.of('jwt');

export function validateAuthentication(
  { jwt, anonymous }: AuthenticationSettings,
  serviceAccountIssuers: readonly string[],
): FieldError[] {
  if (jwt.length > MAX_ISSUERS) return [fieldErrors.tooMany(ROOT, jwt.length, MAX_ISSUERS)];
  const [issuers, discoveryUrls] = [new Set<string>(), new Set<string>()];
  const errors = jwt.flatMap((settings, index) => {
    const path = ROOT.index(index);
    const issuer = settings.issuer ?? {};
    return [
      ...validateJwt(settings, path, serviceAccountIssuers),
      ...duplicate(issuers, issuer.url ?? '', path.child('issuer').child('url'), true),
      ...duplicate(discoveryUrls, issuer.discoveryURL ?? '', path.child('issuer').child('discoveryURL')),
    ];
  });
  const conditions = anonymous?.conditions ?? [];
  if (anonymous !== undefined && !anonymous.enabled && conditions.length > 0)
    errors.push(
      fieldErrors.invalid(
        FieldPath.of('anonymous', 'conditions'),
        conditions as never,
        'enabled should be set to true when conditions are defined',
      ),
    );
  return errors;
}

function duplicate(seen: Set<string>, value: string, path: FieldPath, alsoEmpty = false): FieldError[] {
  if (value === '' && !alsoEmpty) return [];
  if (seen.has(value)) return [fieldErrors.duplicate(path, value)];
  seen.add(value);
  return [];
}

function validateJwt(
  settings: JwtSettings,
  path: FieldPath,
  serviceAccountIssuers: readonly string[],
): FieldError[] {
  const { errors, usesEmailVerified } = validateClaimRules(settings, path.child('claimValidationRules'));
  return [
    ...validateIssuer(settings.issuer ?? {}, path.child('issuer'), serviceAccountIssuers),
    ...errors,
    ...validateMappings(settings.claimMappings ?? {}, path.child('claimMappings'), usesEmailVerified),
    ...validateUserRules(settings.userValidationRules ?? [], path.child('userValidationRules')),
  ];
}

function validateIssuer(
  { url = '', discoveryURL = '', audiences, audienceMatchPolicy, ...issuer }: Partial<JwtSettings['issuer']>,
  path: FieldPath,
  disallowed: readonly string[],
): FieldError[] {
  const at = path.child('discoveryURL');
  const withoutSlash = (text: string): string => text.replace(/\/+$/, '');
  const isSame = url !== '' && withoutSlash(url) === withoutSlash(discoveryURL);
  const egress = issuer.egressSelectorType ?? '';
  return [
    ...(url === ''
      ? [fieldErrors.required(path.child('url'))]
      : validateUrl(url, path.child('url'), disallowed)),
    ...(discoveryURL !== '' && isSame
      ? [fieldErrors.invalid(at, discoveryURL, 'discoveryURL must be different from URL')]
      : []),
    ...(discoveryURL === '' ? [] : validateUrl(discoveryURL, at, [])),
    ...validateAudiences(audiences ?? [], audienceMatchPolicy ?? '', path),
    ...validateAuthority(issuer.certificateAuthority ?? '', path.child('certificateAuthority')),
    ...(egress === ''
      ? []
      : [fieldErrors.invalid(path.child('egressSelectorType'), egress, 'not supported by this server')]),
  ];
}

function validateUrl(text: string, path: FieldPath, disallowed: readonly string[]): FieldError[] {
  const refuse = (why: string): FieldError => fieldErrors.invalid(path, text, why);
  const errors = disallowed.includes(text)
    ? [refuse(`URL must not overlap with disallowed issuers: [${[...disallowed].sort().join(' ')}]`)]
    : [];
  const parts = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/(?:([^/?#]*)@)?[^/?#]*)?[^?#]*(\?[^#]*)?(#.*)?$/i.exec(
    text,
  );
  if (parts === null || (parts[1] !== undefined && !URL.canParse(text)))
    return [...errors, refuse('the URL cannot be parsed')];
  const [, scheme = '', user, query = '', fragment = ''] = parts;
  if (scheme.toLowerCase() !== 'https') errors.push(refuse('URL scheme must be https'));
  if (user !== undefined) errors.push(refuse('URL must not contain a username or password'));
  if (query.length > 1) errors.push(refuse('URL must not contain a query'));
  if (fragment.length > 1) errors.push(refuse('URL must not contain a fragment'));
  return errors;
}

function validateAudiences(audiences: readonly string[], policy: string, path: FieldPath): FieldError[] {
  const at = path.child('audiences');
  if (audiences.length === 0) return [fieldErrors.required(at, `at least one ${at} is required`)];
  const seen = new Set<string>();
  const errors = audiences.flatMap((audience, index) => [
    ...(audience === '' ? [fieldErrors.required(at.index(index))] : []),
    ...duplicate(seen, audience, at.index(index), true),
  ]);
  const refuse = (why: string): FieldError =>
    fieldErrors.invalid(path.child('audienceMatchPolicy'), policy, why);
  if (audiences.length > 1 && policy !== 'MatchAny')
    errors.push(refuse('audienceMatchPolicy must be MatchAny for multiple audiences'));
  if (audiences.length === 1 && policy !== '' && policy !== 'MatchAny')
    errors.push(refuse('audienceMatchPolicy must be empty or MatchAny for single audience'));
  return errors;
}

function validateAuthority(pem: string, path: FieldPath): FieldError[] {
  if (pem === '') return [];
  try {
    new X509Certificate(pem);
    return [];
  } catch {
    return [
      fieldErrors.invalid(path, '<omitted>', 'data does not contain any valid RSA or ECDSA certificates'),
    ];
  }
}

function validateClaimRules(
  { claimValidationRules = [] }: JwtSettings,
  path: FieldPath,
): { readonly errors: FieldError[]; readonly usesEmailVerified: boolean } {
  const [claims, expressions] = [new Set<string>(), new Set<string>()];
  let usesEmailVerified = false;
  const errors = claimValidationRules.flatMap((rule, index): FieldError[] => {
    const at = path.index(index);
    const { claim = '', requiredValue = '', expression = '', message = '' } = rule;
    if (claim !== '' && expression !== '')
      return [fieldErrors.invalid(at, claim, "claim and expression can't both be set")];
    if (claim === '' && expression === '')
      return [fieldErrors.required(at, 'claim or expression is required')];
    if (claim !== '')
      return [
        ...(message === ''
          ? []
          : [fieldErrors.invalid(at.child('message'), message, 'may not be specified when claim is set')]),
        ...duplicate(claims, claim, at.child('claim')),
      ];
    const faults =
      requiredValue === ''
        ? []
        : [
            fieldErrors.invalid(
              at.child('requiredValue'),
              requiredValue,
              'may not be specified when expression is set',
            ),
          ];
    const twice = duplicate(expressions, expression, at.child('expression'));
    if (twice.length > 0) return [...faults, ...twice];
    const compiled = ClaimExpression.compile(expression, 'claims', true);
    if ('fault' in compiled)
      return [...faults, fieldErrors.invalid(at.child('expression'), expression, compiled.fault)];
    usesEmailVerified ||= compiled.uses('email_verified');
    return faults;
  });
  return { errors, usesEmailVerified };
}
