// Formats of addresses on networks, as Go's net package reads them.
import { compilePattern } from '../pattern.ts';

/** Upstream tolerates leading zeros in ipv4 and cidr, as Go did before 1.17, but not in ipv6. */
export function isIpv4(text: string): boolean {
  return text.includes('.') && ipBits(text, true) !== undefined;
}

export function isIpv6(text: string): boolean {
  return text.includes(':') && ipBits(text, false) !== undefined;
}

export function isCidr(text: string): boolean {
  const slash = text.indexOf('/');
  if (slash < 0) return false;
  const bits = ipBits(text.slice(0, slash), true);
  const mask = text.slice(slash + 1);
  return bits !== undefined && /^[0-9]{1,7}$/.test(mask) && Number(mask) <= bits;
}

/** 32 or 128, or undefined for what is no address. */
function ipBits(text: string, leadingZeros: boolean): 32 | 128 | undefined {
  const first = /[.:]/.exec(text)?.[0];
  if (first === '.') return isDotted(text, leadingZeros) ? 32 : undefined;
  return first === ':' && isColoned(text, leadingZeros) ? 128 : undefined;
}

function isDotted(text: string, leadingZeros: boolean): boolean {
  const octets = text.split('.');
  const octet = leadingZeros ? /^[0-9]+$/ : /^(?:0|[1-9][0-9]{0,2})$/;
  return octets.length === 4 && octets.every((one) => octet.test(one) && Number(one) <= 255);
}

function isColoned(text: string, leadingZeros: boolean): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1)!;
  let count = groups[0]!.length + (groups[1]?.length ?? 0);
  if (last.length > 0 && last.at(-1)!.includes('.')) {
    if (!isDotted(last.pop()!, leadingZeros)) return false;
    count += 1;
  }
  if (!groups.flat().every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return false;
  return halves.length === 2 ? count < 8 : count === 8;
}

/** 6, 8 or 20 bytes: in pairs of digits with colons or hyphens, or in fours with dots. */
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
 * One label with at most a hyphen after its first character, or several of which the last is of letters
 * alone.
 */
const HOSTNAME = `^(?:${NAMED}(?:-?${NAMED}{0,62})?|(?:${NAMED}(?:[a-zA-Z0-9\\p{S}\\p{L}-]{0,61}${NAMED})?\\.)+[a-zA-Z\\p{L}]{2,63})$`;

export function isHostname(text: string): boolean {
  const pattern = compilePattern(HOSTNAME);
  if (pattern instanceof Error || text.length > 255 || !pattern.test(text)) return false;
  return utf8Bytes(text) <= 255 && text.split('.').every((label) => utf8Bytes(label) <= 63);
}

function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0)!;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
