// IP addresses, ports and protocols as services and endpoints name them.
import { isIPv4, isIPv6 } from 'node:net';
import { validateDns1123Label, validatePortNumber, validateQualifiedName } from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

export const isIp = (text: string): boolean => isIPv4(text) || (isIPv6(text) && !text.includes('%'));

export function validateIp(text: string, path: FieldPath): FieldError[] {
  return isIp(text)
    ? []
    : [fieldErrors.invalid(path, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
}

/** Addresses at which nobody else can be reached. The text has been checked to be an address. */
export function validateReachableIp(text: string, path: FieldPath): FieldError[] {
  const refuse = (reason: string): FieldError[] => [fieldErrors.invalid(path, text, reason)];
  const groups = isIPv4(text) ? undefined : ipv6Groups(text);
  if (text === '0.0.0.0' || groups?.every((group) => group === 0))
    return refuse(`may not be unspecified (${text})`);
  const isV6Loopback = groups?.every((group, index) => group === (index === 7 ? 1 : 0)) === true;
  if (text.startsWith('127.') || isV6Loopback)
    return refuse('may not be in the loopback range (127.0.0.0/8, ::1/128)');
  const first = groups?.[0] ?? 0;
  if (text.startsWith('169.254.') || (first & 0xffc0) === 0xfe80)
    return refuse('may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  if (text.startsWith('224.0.0.') || (first & 0xff0f) === 0xff02) {
    return refuse('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
  }
  return [];
}

/**
 * The eight numbers of an IPv6 address; the dotted form at its end counts as zeros, which no range above
 * cares about.
 */
function ipv6Groups(text: string): number[] {
  const [head = '', tail] = text.replace(/[0-9.]+\.[0-9]+$/, '0:0').split('::');
  const numbers = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [front, back] = [numbers(head), numbers(tail ?? '')];
  return [...front, ...new Array<number>(Math.max(0, 8 - front.length - back.length)).fill(0), ...back];
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
