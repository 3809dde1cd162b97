// Validation of requests for certificates.
import { X509Certificate } from 'node:crypto';
import { quoteGo, validateDns1123Label, validateDns1123Subdomain } from '@instar/go';
import {
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  type JsonValue,
  type KubeObject,
} from '@instar/machinery';
import { requestFault } from './certificate-request-der.ts';
import { validateOneOf } from './checks.ts';

export interface SigningCondition {
  type: string;
  status: string;
  lastUpdateTime?: string | null;
  lastTransitionTime?: string | null;
}

export interface SigningRequest extends KubeObject {
  spec: {
    request?: string;
    signerName: string;
    usages?: string[];
    expirationSeconds?: number;
    username?: string;
    uid?: string;
    groups?: string[];
    extra?: Record<string, string[]>;
  };
  status: { conditions?: SigningCondition[]; certificate?: string };
}

const SPEC = FieldPath.of('spec');
const CONDITIONS = FieldPath.of('status', 'conditions');
const LEGACY_SIGNER = 'kubernetes.io/legacy-unknown';
const MIN_SECONDS = 600;
const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

export function validateSigningRequest(request: SigningRequest, old?: SigningRequest): FieldError[] {
  const { spec, status } = request;
  const fault = requestFault(spec.request ?? '');
  const usages = spec.usages ?? [];
  const { expirationSeconds: seconds } = spec;
  return [
    ...(fault === undefined ? [] : [fieldErrors.invalid(SPEC.child('request'), spec.request || null, fault)]),
    ...(usages.length === 0 ? [fieldErrors.required(SPEC.child('usages'))] : []),
    ...usages.flatMap((usage, index) => validateOneOf(usage, USAGES, SPEC.child('usages').index(index))),
    ...usages.flatMap((usage, index) =>
      usages.indexOf(usage) < index ? [fieldErrors.duplicate(SPEC.child('usages').index(index), usage)] : [],
    ),
    ...validateSigner(spec.signerName, old?.spec.signerName === LEGACY_SIGNER),
    ...(seconds !== undefined && seconds < MIN_SECONDS
      ? [
          fieldErrors.invalid(
            SPEC.child('expirationSeconds'),
            seconds,
            'may not specify a duration less than 600 seconds (10 minutes)',
          ),
        ]
      : []),
    ...validateConditions(status.conditions ?? []),
    ...validateCertificate(status.certificate, old?.status.certificate),
  ];
}

function validateSigner(name: string, mayBeLegacy: boolean): FieldError[] {
  const path = SPEC.child('signerName');
  const refuse = (value: string, reason: string): FieldError => fieldErrors.invalid(path, value, reason);
  if (name === LEGACY_SIGNER)
    return mayBeLegacy ? [] : [refuse(name, 'the legacy signerName is not allowed via this API version')];
  if (name === '') return [fieldErrors.required(path)];
  const [domain, rest, more] = name.split('/');
  if (rest === undefined || more !== undefined)
    return [refuse(name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  const labels = domain!.split('.');
  return [
    ...labels.flatMap((label) =>
      validateDns1123Label(label).map((reason) =>
        refuse(domain!, `validating label ${quoteGo(label)}: ${reason}`),
      ),
    ),
    ...(labels.length < 2
      ? [refuse(domain!, 'should be a domain with at least two segments separated by dots')]
      : []),
    ...rest
      .split('.')
      .flatMap((label) =>
        validateDns1123Subdomain(label).map((reason) =>
          refuse(rest, `validating label ${quoteGo(label)}: ${reason}`),
        ),
      ),
  ];
}

const DECISIONS = ['Approved', 'Denied'];
const TRUE_ONLY = [...DECISIONS, 'Failed'];

function validateConditions(conditions: readonly SigningCondition[]): FieldError[] {
  const seen = new Set<string>();
  return conditions.flatMap(({ type, status }, index) => {
    const path = CONDITIONS.index(index);
    const errors = type === '' ? [fieldErrors.required(path.child('type'))] : [];
    if (status === '') errors.push(fieldErrors.required(path.child('status')));
    else
      errors.push(
        ...validateOneOf(
          status,
          TRUE_ONLY.includes(type) ? ['True'] : ['False', 'True', 'Unknown'],
          path.child('status'),
        ),
      );
    if (DECISIONS.includes(type) && DECISIONS.some((other) => other !== type && seen.has(other)))
      errors.push(
        fieldErrors.invalid(CONDITIONS, type, 'Approved and Denied conditions are mutually exclusive'),
      );
    if (seen.has(type)) errors.push(fieldErrors.duplicate(path.child('type'), type));
    seen.add(type);
    return errors;
  });
}

const BLOCK = /-----BEGIN ([^-]*)-----([\s\S]*?)-----END \1-----/g;

function validateCertificate(certificate: string | undefined, old: string | undefined): FieldError[] {
  if ((certificate ?? '') === '' || certificate === old) return [];
  const fault = certificateFault(Buffer.from(certificate!, 'base64').toString('latin1'));
  return fault === undefined ? [] : [fieldErrors.invalid('status.certificate', '<certificate data>', fault)];
}

function certificateFault(text: string): string | undefined {
  let count = 0;
  for (const [block, type, body] of text.matchAll(BLOCK)) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${quoteGo(type!)}`;
    if (body!.includes(':')) return 'no PEM block headers are permitted';
    count++;
    try {
      new X509Certificate(block);
    } catch {
      return 'x509: malformed certificate';
    }
  }
  return count === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}

/** What the main resource, the approval and the status may each change. */
export function validateSigningRequestUpdate(
  request: SigningRequest,
  old: SigningRequest,
  subresource: string,
): FieldError[] {
  const ofType = ({ status }: SigningRequest, type: string): JsonValue =>
    (status.conditions ?? []).filter((each) => each.type === type) as unknown as JsonValue;
  const count = (of: SigningRequest, type: string): number => (ofType(of, type) as JsonValue[]).length;
  const forbid = (reason: string): FieldError => fieldErrors.forbidden(CONDITIONS, reason);
  const errors = validateSigningRequest(request, old);
  for (const type of TRUE_ONLY)
    if (count(request, type) < count(old, type))
      errors.push(forbid(`updates may not remove a condition of type ${quoteGo(type)}`));
  if (subresource !== 'approval')
    for (const type of DECISIONS)
      if (count(request, type) > count(old, type))
        errors.push(forbid(`updates may not add a condition of type ${quoteGo(type)}`));
      else if (
        count(request, type) === count(old, type) &&
        !deepEqual(ofType(request, type), ofType(old, type))
      )
        errors.push(forbid(`updates may not modify a condition of type ${quoteGo(type)}`));
  const [now, before] = [request.status.certificate ?? '', old.status.certificate ?? ''];
  if (now === before) return errors;
  if (subresource !== 'status')
    errors.push(fieldErrors.forbidden('status.certificate', 'updates may not set certificate content'));
  else if (before !== '')
    errors.push(
      fieldErrors.forbidden('status.certificate', 'updates may not modify existing certificate content'),
    );
  return errors;
}
