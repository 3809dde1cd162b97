// Writes protobuf from the end to the beginning: the length of a message is known once its content is
// written, so nothing is copied twice.

const FIRST_BYTES = 16 * 1024;
const LENGTH_DELIMITED = 2;
const FIXED_64 = 1;

export class BackwardWriter {
  #buffer: Buffer;
  #start: number;

  constructor(bytes = FIRST_BYTES) {
    this.#buffer = Buffer.allocUnsafe(bytes);
    this.#start = bytes;
  }

  text(field: number, value: string): void {
    const length = value === '' ? 0 : Buffer.byteLength(value);
    this.#reserve(length);
    this.#start -= length;
    if (length > 0) this.#buffer.write(value, this.#start);
    this.#head(field, length);
  }

  bytes(field: number, value: Uint8Array): void {
    this.encoded(value);
    this.#head(field, value.byteLength);
  }

  bool(field: number, value: boolean): void {
    this.#small(value ? 1 : 0);
    this.#tag(field, 0);
  }

  integer(field: number, value: number | bigint): void {
    if (typeof value === 'number' && value >= 0 && Number.isSafeInteger(value)) this.#small(value);
    else this.#varint(BigInt.asUintN(64, typeof value === 'bigint' ? value : BigInt(Math.trunc(value))));
    this.#tag(field, 0);
  }

  double(field: number, value: number): void {
    this.#reserve(8);
    this.#start -= 8;
    this.#buffer.writeDoubleLE(value, this.#start);
    this.#tag(field, FIXED_64);
  }

  /** `elsewhere`: the number of bytes at its end that are not written here. */
  message(field: number, write: () => void, elsewhere = 0): void {
    const end = this.#buffer.byteLength - this.#start;
    write();
    this.#head(field, this.#buffer.byteLength - this.#start - end + elsewhere);
  }

  /** The length of what is written so far, in four bytes, which begin each frame of a stream. */
  frame(): void {
    const length = this.#buffer.byteLength - this.#start;
    this.#reserve(4);
    this.#start -= 4;
    this.#buffer.writeUInt32BE(length, this.#start);
  }

  /** Bytes as they are: a field that is already encoded, with its tag. */
  encoded(bytes: Uint8Array): void {
    this.#reserve(bytes.byteLength);
    this.#start -= bytes.byteLength;
    this.#buffer.set(bytes, this.#start);
  }

  finish(): Buffer {
    return Buffer.from(this.#buffer.subarray(this.#start));
  }

  #head(field: number, length: number): void {
    this.#small(length);
    this.#tag(field, LENGTH_DELIMITED);
  }

  #tag(field: number, wireType: number): void {
    this.#small(field * 8 + wireType);
  }

  /** A varint of an integer that is not negative and safe as a number: eight bytes at most. */
  #small(value: number): void {
    this.#reserve(8);
    if (value < 128) {
      this.#buffer[--this.#start] = value;
      return;
    }
    let bytes = 1;
    for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) bytes++;
    this.#start -= bytes;
    for (let at = 0, rest = value; at < bytes; at++, rest = Math.floor(rest / 128)) {
      this.#buffer[this.#start + at] = (rest % 128) | (at === bytes - 1 ? 0 : 128);
    }
  }

  #varint(value: bigint): void {
    this.#reserve(10);
    const bytes: number[] = [];
    let rest = value;
    do {
      bytes.push(Number(rest & 127n) | (rest > 127n ? 128 : 0));
      rest >>= 7n;
    } while (rest > 0n);
    this.#start -= bytes.length;
    this.#buffer.set(bytes, this.#start);
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#start) return;
    const used = this.#buffer.byteLength - this.#start;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.byteLength * 2, used + bytes));
    this.#buffer.copy(grown, grown.byteLength - used, this.#start);
    this.#buffer = grown;
    this.#start = grown.byteLength - used;
  }
}
