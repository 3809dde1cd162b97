// Validation of ingresses and ingress classes.
import {
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  parseIp,
  validateDns1123Subdomain,
  validatePortNumber,
} from '@instar/go';
import { type FieldError, FieldPath, fieldErrors, type KubeObject } from '@instar/machinery';
import { validateIp } from './address.ts';
import { invalidFor, validateOneOf, validateUnchanged } from './checks.ts';
import { validatePathSegment } from './path-segment.ts';
import { portNameReasons } from './port-name.ts';

interface Reference {
  apiGroup?: string;
  kind: string;
  name: string;
}

interface Backend {
  service?: { name: string; port?: { name?: string; number?: number } };
  resource?: Reference;
}

interface HttpPath {
  path?: string;
  pathType?: string;
  backend: Backend;
}

interface Rule {
  host?: string;
  http?: { paths: HttpPath[] | null };
}

export interface Ingress extends KubeObject {
  spec: {
    ingressClassName?: string;
    defaultBackend?: Backend;
    rules?: Rule[];
    tls?: { hosts?: string[]; secretName?: string }[];
  };
  status: { loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] } };
}

export interface IngressClass extends KubeObject {
  spec: {
    controller?: string;
    parameters?: Reference & { scope?: string; namespace?: string };
  };
}

const SPEC = FieldPath.of('spec');
export const INGRESS_CLASS_ANNOTATION = 'kubernetes.io/ingress.class';
const NOT_A_NAME = 'must be a DNS name, not an IP address';
const MAX_HOST_BYTES = 253;
const WILDCARD_RULE =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const WILDCARD = /^\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const isIp = (text: string): boolean => typeof parseIp(text) !== 'string';

function hostReasons(host: string): string[] {
  if (!host.includes('*')) return validateDns1123Subdomain(host);
  const tooLong = Buffer.byteLength(host) > MAX_HOST_BYTES;
  return [
    ...(tooLong ? [`must be no more than ${MAX_HOST_BYTES} characters`] : []),
    ...(WILDCARD.test(host) ? [] : [WILDCARD_RULE]),
  ];
}

/** Where the old object has an invalid name of a secret, it may stay. */
export function validateIngress({ metadata, spec }: Ingress, old?: Ingress): FieldError[] {
  const { rules = [], tls = [], ingressClassName: className } = spec;
  const errors: FieldError[] = [];
  if (rules.length === 0 && spec.defaultBackend === undefined)
    errors.push(
      fieldErrors.invalid(
        SPEC,
        spec.rules === undefined ? null : [],
        'either `defaultBackend` or `rules` must be specified',
      ),
    );
  if (spec.defaultBackend !== undefined)
    errors.push(...validateBackend(spec.defaultBackend, SPEC.child('defaultBackend')));
  errors.push(...rules.flatMap((rule, index) => validateRule(rule, SPEC.child('rules').index(index))));
  errors.push(...validateTls(tls, (old?.spec.tls ?? []).some(hasBadSecret)));
  if (className !== undefined)
    errors.push(
      ...invalidFor(SPEC.child('ingressClassName'), className, nameIsDnsSubdomain(className, false)),
    );
  const annotated = metadata.annotations?.[INGRESS_CLASS_ANNOTATION];
  if (old === undefined && annotated !== undefined && className !== undefined && annotated !== className)
    errors.push(
      fieldErrors.invalid(
        FieldPath.of('annotations', INGRESS_CLASS_ANNOTATION),
        annotated,
        'must match `ingressClassName` when both are specified',
      ),
    );
  return errors;
}

const secretReasons = (name: string): string[] => (name === '' ? [] : nameIsDnsSubdomain(name, false));
const hasBadSecret = ({ secretName = '' }: { secretName?: string }): boolean =>
  secretReasons(secretName).length > 0;

function validateTls(tls: NonNullable<Ingress['spec']['tls']>, mayHaveBadSecret: boolean): FieldError[] {
  return tls.flatMap(({ hosts = [], secretName = '' }, index) => {
    const path = SPEC.child('tls').index(index);
    return [
      ...hosts.flatMap((host, position) =>
        invalidFor(path.child('hosts').index(position), host, hostReasons(host)),
      ),
      ...(mayHaveBadSecret
        ? []
        : invalidFor(path.child('secretName'), secretName, secretReasons(secretName))),
    ];
  });
}

function validateRule({ host = '', http }: Rule, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (host !== '') {
    if (isIp(host)) errors.push(fieldErrors.invalid(path.child('host'), host, NOT_A_NAME));
    errors.push(...invalidFor(path.child('host'), host, hostReasons(host)));
  }
  if (http === undefined) return errors;
  const at = path.child('http', 'paths');
  if ((http.paths ?? []).length === 0) errors.push(fieldErrors.required(at));
  return [...errors, ...(http.paths ?? []).flatMap((each, index) => validateHttpPath(each, at.index(index)))];
}

const FORBIDDEN_PARTS = ['//', '/./', '/../', '%2f', '%2F'];
const FORBIDDEN_ENDS = ['/..', '/.'];

function validateHttpPath({ path: text = '', pathType, backend }: HttpPath, path: FieldPath): FieldError[] {
  if (pathType === undefined)
    return [fieldErrors.required(path.child('pathType'), 'pathType must be specified')];
  return [...validatePathText(text, pathType, path), ...validateBackend(backend, path.child('backend'))];
}

function validatePathText(text: string, pathType: string, path: FieldPath): FieldError[] {
  const at = path.child('path');
  const refuse = (reason: string): FieldError => fieldErrors.invalid(at, text, reason);
  const absolute = text.startsWith('/') ? [] : [refuse('must be an absolute path')];
  if (pathType === 'ImplementationSpecific') return text === '' ? [] : absolute;
  if (pathType !== 'Exact' && pathType !== 'Prefix')
    return validateOneOf(pathType, ['Exact', 'ImplementationSpecific', 'Prefix'], path.child('pathType'));
  return [
    ...absolute,
    ...FORBIDDEN_PARTS.filter((part) => text.includes(part)).map((part) =>
      refuse(`must not contain '${part}'`),
    ),
    ...FORBIDDEN_ENDS.filter((end) => text.endsWith(end)).map((end) => refuse(`cannot end with '${end}'`)),
  ];
}

function validateBackend({ service, resource }: Backend, path: FieldPath): FieldError[] {
  if (service !== undefined && resource !== undefined)
    return [fieldErrors.invalid(path, '', 'cannot set both resource and service backends')];
  if (resource !== undefined) return validateReference(resource, path.child('resource'));
  if (service === undefined)
    return [fieldErrors.invalid(path, '', 'resource or service backend is required')];
  const at = path.child('service');
  return [
    ...(service.name === ''
      ? [fieldErrors.required(at.child('name'))]
      : invalidFor(at.child('name'), service.name, nameIsDnsLabel(service.name, false))),
    ...validateBackendPort(service.port ?? {}, path),
  ];
}

function validateBackendPort({ name = '', number = 0 }: { name?: string; number?: number }, path: FieldPath) {
  const at = path.child('service', 'port');
  if (name !== '' && number !== 0)
    return [fieldErrors.invalid(path, '', 'cannot set both port name & port number')];
  if (name !== '') return invalidFor(at.child('name'), name, portNameReasons(name));
  if (number !== 0) return invalidFor(at.child('number'), number, validatePortNumber(number));
  return [fieldErrors.required(path, 'port name or number is required')];
}

function validateReference({ apiGroup, kind, name }: Reference, path: FieldPath): FieldError[] {
  return [
    ...(apiGroup === undefined
      ? []
      : invalidFor(path.child('apiGroup'), apiGroup, validateDns1123Subdomain(apiGroup))),
    ...validatePathSegment(kind, path.child('kind')),
    ...validatePathSegment(name, path.child('name')),
  ];
}

export function validateIngressStatus({ status }: Ingress, old: Ingress): FieldError[] {
  const path = FieldPath.of('status', 'loadBalancer', 'ingress');
  const known = (old.status.loadBalancer?.ingress ?? []).map(({ ip = '' }) => ip);
  return (status.loadBalancer?.ingress ?? []).flatMap(({ ip = '', hostname = '' }, index) => {
    const at = path.index(index);
    const errors = ip === '' || known.includes(ip) ? [] : validateIp(ip, at.child('ip'));
    if (hostname === '') return errors;
    errors.push(...invalidFor(at.child('hostname'), hostname, validateDns1123Subdomain(hostname)));
    if (isIp(hostname)) errors.push(fieldErrors.invalid(at.child('hostname'), hostname, NOT_A_NAME));
    return errors;
  });
}

const MAX_CONTROLLER_BYTES = 250;
const PATH_RULE = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')";

export function validateIngressClass({ spec }: IngressClass): FieldError[] {
  const path = SPEC.child('controller');
  const { controller = '', parameters } = spec;
  const errors =
    Buffer.byteLength(controller) > MAX_CONTROLLER_BYTES
      ? [fieldErrors.tooLong(path, MAX_CONTROLLER_BYTES)]
      : [];
  errors.push(...validateDomainPath(controller, path));
  if (parameters === undefined) return errors;
  const at = SPEC.child('parameters');
  return [...errors, ...validateReference(parameters, at), ...validateScope(parameters, at)];
}

function validateDomainPath(text: string, path: FieldPath): FieldError[] {
  if (text === '') return [fieldErrors.required(path)];
  const slash = text.indexOf('/');
  const [host, rest] = [text.slice(0, Math.max(slash, 0)), text.slice(slash + 1)];
  if (slash === -1 || host === '' || rest === '')
    return [fieldErrors.invalid(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  return [
    ...invalidFor(path, host, validateDns1123Subdomain(host)),
    ...(/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(rest) ? [] : [fieldErrors.invalid(path, rest, PATH_RULE)]),
  ];
}

function validateScope(
  { scope, namespace }: NonNullable<IngressClass['spec']['parameters']>,
  path: FieldPath,
): FieldError[] {
  if (scope === undefined) return [fieldErrors.required(path.child('scope'))];
  const errors = validateOneOf(scope, ['Cluster', 'Namespace'], path.child('scope'));
  if (errors.length > 0) return errors;
  const at = path.child('namespace');
  if (scope === 'Cluster')
    return namespace === undefined
      ? []
      : [fieldErrors.forbidden(at, "`parameters.scope` is set to 'Cluster'")];
  return namespace === undefined
    ? [fieldErrors.required(at, "`parameters.scope` is set to 'Namespace'")]
    : invalidFor(at, namespace, nameIsDnsLabel(namespace, false));
}

export const validateIngressClassUpdate = (next: IngressClass, old: IngressClass): FieldError[] => [
  ...validateUnchanged(next.spec.controller, old.spec.controller, SPEC.child('controller')),
  ...validateIngressClass(next),
];
