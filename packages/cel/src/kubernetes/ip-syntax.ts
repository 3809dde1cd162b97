/**
 * The two grammars of IP addresses. They throw AddressSyntaxError with Go's words; ip-address.ts turns it
 * into a text.
 */

/** Why an address was refused, with the rest of the input where it went wrong. */
export class AddressSyntaxError extends Error {
  readonly at: string | undefined;

  constructor(message: string, at?: string) {
    super(message);
    this.at = at;
  }
}

/** The four fields of an IPv4 address, as one number. */
export function readIpv4Fields(text: string): bigint {
  const fields: number[] = [];
  let digits = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char >= '0' && char <= '9') {
      if (digits === '0') throw new AddressSyntaxError('IPv4 field has octet with leading zero');
      digits += char;
      if (Number(digits) > 255) throw new AddressSyntaxError('IPv4 field has value >255');
    } else if (char === '.') {
      if (digits === '' || at === text.length - 1)
        throw new AddressSyntaxError('IPv4 field must have at least one digit', text.slice(at));
      if (fields.length === 3) throw new AddressSyntaxError('IPv4 address too long');
      fields.push(Number(digits));
      digits = '';
    } else throw new AddressSyntaxError('unexpected character', text.slice(at));
  }
  if (fields.length < 3) throw new AddressSyntaxError('IPv4 address too short');
  return joinFields([...fields, Number(digits)], 8n);
}

function joinFields(fields: number[], width: bigint): bigint {
  return fields.reduce((value, field) => (value << width) | BigInt(field), 0n);
}

export function readIpv6(text: string): { value: bigint; zone: string } {
  const percent = text.indexOf('%');
  if (percent === text.length - 1) throw new AddressSyntaxError('zone must be a non-empty string');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  const { fields, ellipsis } = readIpv6Fields(percent < 0 ? text : text.slice(0, percent));
  return { value: joinFields(expanded(fields, ellipsis), 16n), zone };
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
  /** How many fields stand before the `::`. */
  readonly ellipsis: number | undefined;
}

function readIpv6Fields(text: string): Ipv6Fields {
  const fields: number[] = [];
  let ellipsis = text.startsWith('::') ? 0 : undefined;
  let rest = ellipsis === undefined ? text : text.slice(2);
  if (ellipsis === 0 && rest === '') return { fields, ellipsis };
  while (fields.length < 8) {
    const digits = leadingHex(rest);
    if (rest[digits.length] === '.') {
      fields.push(...embeddedIpv4(rest, fields.length, ellipsis));
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

function leadingHex(text: string): string {
  const digits = /^[0-9a-fA-F]{0,5}/.exec(text)![0];
  if (digits.length > 4) throw new AddressSyntaxError('each group must have 4 or less digits', text);
  if (digits === '')
    throw new AddressSyntaxError('each colon-separated field must have at least one digit', text);
  return digits;
}

function afterColon(text: string): string {
  if (text[0] !== ':') throw new AddressSyntaxError('unexpected character, want colon', text);
  if (text.length === 1) throw new AddressSyntaxError('colon must be followed by more characters', text);
  return text.slice(1);
}

function embeddedIpv4(text: string, before: number, ellipsis: number | undefined): [number, number] {
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
  const value = readIpv4Fields(text);
  return [Number(value >> 16n), Number(value & 0xffffn)];
}
