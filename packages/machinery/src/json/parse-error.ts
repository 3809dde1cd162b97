// Why a text is not JSON, in the words of Go's encoding/json, which the API server's answers contain.
import { quoteGo } from '@instar/go';

/** A text that is not JSON, or has a number that is out of range. */
export class JsonParseError extends Error {
  override readonly name = 'JsonParseError';
  /**
   * `syntax`: not JSON. `range`: JSON, but with a number beyond float64. Answers differ: upstream detects the
   * latter only while decoding.
   */
  readonly kind: 'syntax' | 'range';
  /** The position in the text, in UTF-16 units. */
  readonly offset: number;

  constructor(kind: 'syntax' | 'range', message: string, offset: number) {
    super(message);
    this.kind = kind;
    this.offset = offset;
  }
}

export function unexpectedCharacter(text: string, offset: number, context: string): JsonParseError {
  if (offset >= text.length) return new JsonParseError('syntax', 'unexpected end of JSON input', text.length);
  return new JsonParseError(
    'syntax',
    `invalid character ${quoteCharacter(text.codePointAt(offset)!)} ${context}`,
    offset,
  );
}

export function numberOutOfRange(literal: string, offset: number): JsonParseError {
  return new JsonParseError(
    'range',
    `json: cannot unmarshal number ${literal} into Go value of type float64`,
    offset,
  );
}

function quoteCharacter(codePoint: number): string {
  if (codePoint === 0x27) return "'\\''";
  if (codePoint === 0x22) return "'\"'";
  return `'${quoteGo(String.fromCharCode(firstByte(codePoint))).slice(1, -1)}'`;
}

/** Go reads bytes, and prints the first byte of a longer character as if it were one. */
function firstByte(codePoint: number): number {
  if (codePoint < 0x80) return codePoint;
  if (codePoint < 0x800) return 0xc0 | (codePoint >> 6);
  return codePoint < 0x10000 ? 0xe0 | (codePoint >> 12) : 0xf0 | (codePoint >> 18);
}
