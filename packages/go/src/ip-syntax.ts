// The two grammars of IP addresses, as fields: four bytes of IPv4, eight groups of IPv6. They throw
// AddressSyntaxError with Go's words; ip.ts turns it into a text.

/** Why an address was refused, with the rest of the input where it went wrong. */
export class AddressSyntaxError extends Error {
  readonly at: string | undefined;

  constructor(message: string, at?: string) {
    super(message);
    this.at = at;
  }
}

/**
 * How strictly to parse: as Go does since 1.17, or with leading zeros, as Kubernetes still parses what was
 * stored before (ParseIPSloppy of k8s.io/utils/net).
 */
export type AddressGrammar = 'strict' | 'sloppy';

const ZERO = 48;
const DOT = 46;

export function readIpv4Fields(text: string, grammar: AddressGrammar = 'strict'): number[] {
  const fields: number[] = [];
  let field = 0;
  let digits = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit >= 0 && digit <= 9) {
      if (digits > 0 && field === 0 && grammar === 'strict')
        throw new AddressSyntaxError('IPv4 field has octet with leading zero');
      field = field * 10 + digit;
      digits++;
      if (field > 255) throw new AddressSyntaxError('IPv4 field has value >255');
    } else if (digit === DOT - ZERO) {
      if (digits === 0 || at === text.length - 1)
        throw new AddressSyntaxError('IPv4 field must have at least one digit', text.slice(at));
      if (fields.length === 3) throw new AddressSyntaxError('IPv4 address too long');
      fields.push(field);
      field = 0;
      digits = 0;
    } else throw new AddressSyntaxError('unexpected character', text.slice(at));
  }
  if (fields.length < 3) throw new AddressSyntaxError('IPv4 address too short');
  fields.push(field);
  return fields;
}

export function readIpv6(
  text: string,
  grammar: AddressGrammar = 'strict',
): { readonly fields: number[]; readonly zone: string } {
  const percent = text.indexOf('%');
  if (percent === text.length - 1) throw new AddressSyntaxError('zone must be a non-empty string');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  const { fields, ellipsis } = readIpv6Fields(percent < 0 ? text : text.slice(0, percent), grammar);
  return { fields: expanded(fields, ellipsis), zone };
}

function expanded(fields: number[], ellipsis: number | undefined): number[] {
  if (fields.length === 8) {
    if (ellipsis !== undefined)
      throw new AddressSyntaxError('the :: must expand to at least one field of zeros');
    return fields;
  }
  if (ellipsis === undefined) throw new AddressSyntaxError('address string too short');
  const zeros = Array.from({ length: 8 - fields.length }, () => 0);
  return [...fields.slice(0, ellipsis), ...zeros, ...fields.slice(ellipsis)];
}

interface Ipv6Fields {
  readonly fields: number[];
  /** The number of fields before the `::`. */
  readonly ellipsis: number | undefined;
}

function readIpv6Fields(text: string, grammar: AddressGrammar): Ipv6Fields {
  const fields: number[] = [];
  let ellipsis = text.startsWith('::') ? 0 : undefined;
  let rest = ellipsis === undefined ? text : text.slice(2);
  if (ellipsis === 0 && rest === '') return { fields, ellipsis };
  while (fields.length < 8) {
    const digits = leadingHex(rest, grammar);
    if (rest[digits.length] === '.') {
      fields.push(...embeddedIpv4(rest, fields.length, ellipsis, grammar));
      return { fields, ellipsis };
    }
    fields.push(Number.parseInt(digits, 16));
    rest = rest.slice(digits.length);
    if (rest === '') break;
    rest = afterColon(rest);
    if (rest[0] !== ':') continue;
    if (ellipsis !== undefined) throw new AddressSyntaxError('multiple :: in address', rest);
    ellipsis = fields.length;
    rest = rest.slice(1);
    if (rest === '') break;
  }
  if (rest !== '') throw new AddressSyntaxError('trailing garbage after address', rest);
  return { fields, ellipsis };
}

function leadingHex(text: string, grammar: AddressGrammar): string {
  const digits = (grammar === 'strict' ? /^[0-9a-fA-F]{0,5}/ : /^0*[0-9a-fA-F]{0,5}/).exec(text)![0];
  const tooLong = grammar === 'strict' ? digits.length > 4 : Number.parseInt(digits, 16) > 0xffff;
  if (tooLong) throw new AddressSyntaxError('each group must have 4 or less digits', text);
  if (digits === '')
    throw new AddressSyntaxError('each colon-separated field must have at least one digit', text);
  return digits;
}

function afterColon(text: string): string {
  if (text[0] !== ':') throw new AddressSyntaxError('unexpected character, want colon', text);
  if (text.length === 1) throw new AddressSyntaxError('colon must be followed by more characters', text);
  return text.slice(1);
}

function embeddedIpv4(
  text: string,
  before: number,
  ellipsis: number | undefined,
  grammar: AddressGrammar,
): [number, number] {
  if (ellipsis === undefined && before !== 6) {
    throw new AddressSyntaxError(
      'embedded IPv4 address must replace the final 2 fields of the address',
      text,
    );
  }
  if (before > 6)
    throw new AddressSyntaxError(
      'too many hex fields to fit an embedded IPv4 at the end of the address',
      text,
    );
  const [a, b, c, d] = readIpv4Fields(text, grammar) as [number, number, number, number];
  return [a * 256 + b, c * 256 + d];
}
