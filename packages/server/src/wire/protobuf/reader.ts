// The protobuf wire format, as far as Kubernetes uses it: varints, doubles, and bytes with a length.

export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
}

export class ProtobufReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.byteLength;
  }

  /** The number and the wire type of the next field. */
  tag(): { field: number; wireType: number } {
    const tag = Number(this.#varint());
    return { field: Math.floor(tag / 8), wireType: tag & 7 };
  }

  /** A signed integer of 64 bits; a bigint if a number cannot hold it. */
  integer(): number | bigint {
    const value = BigInt.asIntN(64, this.#varint());
    return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
      ? Number(value)
      : value;
  }

  bytes(): Uint8Array {
    const length = Number(this.#varint());
    return this.#take(length);
  }

  double(): number {
    const bytes = this.#take(8);
    return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
  }

  /** Skips a field that this server does not know, from a newer client. */
  skip(wireType: number): void {
    if (wireType === 0) this.#varint();
    else if (wireType === 1) this.#take(8);
    else if (wireType === 2) this.bytes();
    else if (wireType === 5) this.#take(4);
    else throw new ProtobufError(`proto: illegal wireType ${wireType}`);
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new ProtobufError('unexpected EOF');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new ProtobufError('proto: integer overflow');
  }

  #take(length: number): Uint8Array {
    const from = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.byteLength) throw new ProtobufError('unexpected EOF');
    return this.#bytes.subarray(from, this.#at);
  }
}
