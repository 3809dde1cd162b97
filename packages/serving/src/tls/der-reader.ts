// Reads the ASN.1 types that certificates and requests for them are made of, from DER.

/** What is wrong with the bytes, as Go words it. */
export class DerError extends Error {
  override readonly name = 'DerError';
}

/** One value with its tag. */
export interface DerElement {
  readonly tag: number;
  /** With the tag and the length. */
  readonly whole: Buffer;
  readonly content: Buffer;
}

const truncated = (): DerError => new DerError('asn1: syntax error: data truncated');

/** The first element of the bytes. */
export function readElement(bytes: Buffer): DerElement {
  const first = bytes[1];
  if (first === undefined) throw truncated();
  let [length, start] = [first, 2];
  if (first >= 0x80) {
    const count = first & 0x7f;
    if (count === 0 || count > 4 || bytes.length < 2 + count) throw truncated();
    [length, start] = [bytes.readUIntBE(2, count), 2 + count];
  }
  if (start + length > bytes.length) throw truncated();
  const whole = bytes.subarray(0, start + length);
  return { tag: bytes[0]!, whole, content: whole.subarray(start) };
}

export function childrenOf({ content }: Pick<DerElement, 'content'>): DerElement[] {
  const children: DerElement[] = [];
  for (let rest = content; rest.length > 0; ) {
    const child = readElement(rest);
    children.push(child);
    rest = rest.subarray(child.whole.length);
  }
  return children;
}

/** In dotted form. */
export function oidOf({ content }: Pick<DerElement, 'content'>): string {
  const parts: number[] = [Math.floor(content[0]! / 40), content[0]! % 40];
  let value = 0;
  for (const byte of content.subarray(1)) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      parts.push(value);
      value = 0;
    }
  }
  return parts.join('.');
}

const ONE_BYTE: ReadonlySet<number> = new Set([0x12, 0x13, 0x14, 0x16]);

/** A string of any of the types that names use; undefined: it is none of them. */
export function stringOf({ tag, content }: DerElement): string | undefined {
  if (tag === 0x0c) return content.toString();
  if (ONE_BYTE.has(tag)) return content.toString('latin1');
  // BMPString: UTF-16, big-endian.
  if (tag !== 0x1e || content.length % 2 !== 0) return undefined;
  return Buffer.from(content).swap16().toString('utf16le');
}
