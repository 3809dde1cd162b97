// IP addresses, ports and protocols of services and endpoints.
import {
  ipFamilyOf,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  parseIp,
  validateDns1123Label,
  validatePortNumber,
  validateQualifiedName,
} from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

export function validateIp(text: string, path: FieldPath): FieldError[] {
  return ipFamilyOf(text) !== undefined
    ? []
    : [fieldErrors.invalid(path, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
}

/** Refuses addresses that no other host can have. `text` must be a valid address. */
export function validateReachableIp(text: string, path: FieldPath): FieldError[] {
  const refuse = (reason: string): FieldError[] => [fieldErrors.invalid(path, text, reason)];
  const address = parseIp(text);
  if (typeof address === 'string') return [];
  if (isUnspecified(address)) return refuse(`may not be unspecified (${text})`);
  if (isLoopback(address)) return refuse('may not be in the loopback range (127.0.0.0/8, ::1/128)');
  if (isLinkLocalUnicast(address))
    return refuse('may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  if (isLinkLocalMulticast(address))
    return refuse('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
  return [];
}

export interface NamedPort {
  name?: string;
  port: number;
  protocol?: string;
  appProtocol?: string;
}

export function validatePort(
  { name = '', port, protocol = '', appProtocol }: NamedPort,
  nameRequired: boolean,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (name === '' && nameRequired) errors.push(fieldErrors.required(path.child('name')));
  if (name !== '')
    errors.push(
      ...validateDns1123Label(name).map((reason) => fieldErrors.invalid(path.child('name'), name, reason)),
    );
  errors.push(
    ...validatePortNumber(port).map((reason) => fieldErrors.invalid(path.child('port'), port, reason)),
  );
  return [
    ...errors,
    ...validateProtocol(protocol, path.child('protocol')),
    ...validateAppProtocol(appProtocol, path.child('appProtocol')),
  ];
}

export function validateProtocol(protocol: string, path: FieldPath): FieldError[] {
  if (protocol === '') return [fieldErrors.required(path)];
  return PROTOCOLS.includes(protocol) ? [] : [fieldErrors.notSupported(path, protocol, PROTOCOLS)];
}

export const validateAppProtocol = (name: string | undefined, path: FieldPath): FieldError[] =>
  name === undefined
    ? []
    : validateQualifiedName(name).map((reason) => fieldErrors.invalid(path, name, reason));
