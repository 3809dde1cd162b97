// The few ASN.1 types that a certificate is made of, encoded as DER. Writing only: der-reader.ts reads.

const encode = (tag: number, ...contents: Uint8Array[]): Buffer => {
  const body = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
};

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

export const der = {
  sequence: (...items: Uint8Array[]) => encode(0x30, ...items),
  set: (...items: Uint8Array[]) => encode(0x31, ...items),
  boolean: (value: boolean) => encode(0x01, Buffer.from([value ? 0xff : 0])),
  null: () => encode(0x05),
  /** Big-endian, unsigned. */
  integer: (bytes: Uint8Array) => encode(0x02, bytes[0]! & 0x80 ? Buffer.from([0]) : Buffer.alloc(0), bytes),
  octets: (bytes: Uint8Array) => encode(0x04, bytes),
  utf8: (text: string) => encode(0x0c, Buffer.from(text)),
  bits: (bytes: Uint8Array, unusedBits = 0) => encode(0x03, Buffer.from([unusedBits]), bytes),
  /** [n] around other values. */
  explicit: (tag: number, ...items: Uint8Array[]) => encode(0xa0 | tag, ...items),
  /** [n] in place of a primitive type. */
  implicit: (tag: number, bytes: Uint8Array) => encode(0x80 | tag, bytes),
  oid,
  time,
} as const;

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return encode(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

/** UTCTime until 2049, GeneralizedTime from then on, as RFC 5280 wants. */
function time(date: Date): Buffer {
  const digits = `${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;
  return date.getUTCFullYear() < 2050
    ? encode(0x17, Buffer.from(digits.slice(2)))
    : encode(0x18, Buffer.from(digits));
}
