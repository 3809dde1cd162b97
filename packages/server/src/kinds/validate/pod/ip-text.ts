// Addresses in fields of pods: readable ones that are not written as they should be are refused or warned
// of.
import { ipFamilyOf, isIpv4Mapped, parseIp, printIp } from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';

const withoutZeros = (text: string): string => text.replace(/(^|[.:])0+(?=\d)/g, '$1');

export function validateIpText(text: string, path: FieldPath): FieldError[] {
  if (ipFamilyOf(text) === undefined) {
    // IPv4 addresses were once readable with leading zeros.
    const why =
      /^[\d.]+$/.test(text) && ipFamilyOf(withoutZeros(text)) !== undefined
        ? 'must not have leading 0s'
        : 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
    return [fieldErrors.invalid(path, text, why)];
  }
  const address = parseIp(text);
  return typeof address !== 'string' && text.includes(':') && isIpv4Mapped(address)
    ? [fieldErrors.invalid(path, text, 'must not be an IPv4-mapped IPv6 address')]
    : [];
}

export function ipWarnings(text: string, path: FieldPath): string[] {
  const address = parseIp(text);
  if (typeof address === 'string' || !text.includes(':')) return [];
  const printed = printIp(address);
  return printed === text
    ? []
    : [
        `${path}: IPv6 address ${JSON.stringify(text)} should be in RFC 5952 canonical format (${JSON.stringify(printed)})`,
      ];
}
