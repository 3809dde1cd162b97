// Standard base64 as Go decodes it. Pure; atob accepts what Go refuses, and does not say where the error is.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Int8Array(128).fill(-1);
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i;

/** The bytes, or the position of the first illegal character. */
export function decodeBase64(text: string): Uint8Array | number {
  // Go skips line breaks.
  const source = /[\r\n]/.test(text) ? text.replace(/[\r\n]/g, '') : text;
  const padding = source.endsWith('==') ? 2 : source.endsWith('=') ? 1 : 0;
  const digits = source.length - padding;
  for (let i = 0; i < digits; i++) if ((VALUES[source.charCodeAt(i)] ?? -1) < 0) return i;
  if (source.length % 4 !== 0) return source.length;
  const bytes = new Uint8Array((source.length / 4) * 3 - padding);
  for (let i = 0, at = 0; i < digits; i += 4) {
    const digit = (offset: number): number =>
      i + offset < digits ? VALUES[source.charCodeAt(i + offset)]! : 0;
    const word = (digit(0) << 18) | (digit(1) << 12) | (digit(2) << 6) | digit(3);
    for (let shift = 16; shift >= 0 && at < bytes.length; shift -= 8) bytes[at++] = (word >> shift) & 0xff;
  }
  return bytes;
}
