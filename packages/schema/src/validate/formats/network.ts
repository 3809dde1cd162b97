// Formats of network addresses, as Go's net package parses them.
import { ipFamilyOf, utf8Length } from '@instar/go';
import { compilePattern } from '../pattern.ts';

/** Upstream tolerates leading zeros in ipv4 and cidr, as Go did before 1.17, but not in ipv6. */
export function isIpv4(text: string): boolean {
  return text.includes('.') && ipFamilyOf(text, 'sloppy') !== undefined;
}

export function isIpv6(text: string): boolean {
  return text.includes(':') && ipFamilyOf(text) !== undefined;
}

/** 6, 8 or 20 bytes: groups of two digits with colons or hyphens, or of four with dots. */
export function isMac(text: string): boolean {
  const separator = /[:.-]/.exec(text)?.[0];
  if (separator === undefined) return false;
  const digits = separator === '.' ? 4 : 2;
  const groups = text.split(separator);
  const bytes = (groups.length * digits) / 2;
  const group = digits === 4 ? /^[0-9a-fA-F]{4}$/ : /^[0-9a-fA-F]{2}$/;
  return (bytes === 6 || bytes === 8 || bytes === 20) && groups.every((one) => group.test(one));
}

const NAMED = '[a-zA-Z0-9\\p{S}\\p{L}]';
/**
 * One label with at most a hyphen after its first character, or several of which the last has only letters.
 */
const HOSTNAME = `^(?:${NAMED}(?:-?${NAMED}{0,62})?|(?:${NAMED}(?:[a-zA-Z0-9\\p{S}\\p{L}-]{0,61}${NAMED})?\\.)+[a-zA-Z\\p{L}]{2,63})$`;

export function isHostname(text: string): boolean {
  const pattern = compilePattern(HOSTNAME);
  if (pattern instanceof Error || text.length > 255 || !pattern.test(text)) return false;
  return utf8Length(text) <= 255 && text.split('.').every((label) => utf8Length(label) <= 63);
}
