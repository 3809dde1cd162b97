// Handwritten protocol buffers, as far as etcd's messages need them. Numbers up to 2^53 are exact, which
// revisions never reach; the ids of clusters and members may be larger and are not read.

export class MessageWriter {
  readonly #parts: Uint8Array[] = [];
  #bytes: number[] = [];

  number(field: number, value: number): this {
    if (value === 0) return this;
    this.#varint(field * 8);
    this.#varint(value);
    return this;
  }

  flag(field: number, value: boolean): this {
    return this.number(field, value ? 1 : 0);
  }

  /** Written even if empty: in a oneof presence is what counts. */
  bytes(field: number, value: Uint8Array): this {
    this.#varint(field * 8 + 2);
    this.#varint(value.length);
    if (value.length > 0) {
      this.#flush();
      this.#parts.push(value);
    }
    return this;
  }

  text(field: number, value: string): this {
    return this.bytes(field, Buffer.from(value));
  }

  finish(): Buffer {
    this.#flush();
    return this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
  }

  #flush(): void {
    if (this.#bytes.length === 0) return;
    this.#parts.push(Buffer.from(this.#bytes));
    this.#bytes = [];
  }

  #varint(value: number): void {
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes.push((rest % 128) | 0x80);
      rest = Math.floor(rest / 128);
    }
    this.#bytes.push(rest);
  }
}

export class MessageReader {
  readonly #bytes: Buffer;
  #at = 0;
  #type = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The number of the next field, or 0 at the end. */
  next(): number {
    if (this.#at >= this.#bytes.length) return 0;
    const tag = this.number();
    this.#type = tag & 7;
    return tag >>> 3;
  }

  number(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError('a message ends within a number');
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
  }

  flag(): boolean {
    return this.number() !== 0;
  }

  /** Shares memory with the message. */
  bytes(): Buffer {
    const length = this.number();
    const start = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new RangeError('a message ends within a field');
    return this.#bytes.subarray(start, this.#at);
  }

  text(): string {
    const length = this.number();
    const start = this.#at;
    this.#at += length;
    return this.#bytes.toString('utf8', start, this.#at);
  }

  /** Skips an unneeded field. */
  skip(): void {
    if (this.#type === 0) this.number();
    else if (this.#type === 1) this.#at += 8;
    else if (this.#type === 2) this.bytes();
    else if (this.#type === 5) this.#at += 4;
    else throw new RangeError(`a field of the unknown type ${this.#type}`);
  }
}
