// gRPC's framing of messages: one byte for compression (never used here), four for the length, then the
// message.
import { GRPC, GrpcError } from './status.ts';

const HEADER = 5;

export function frameOf(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEADER + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, HEADER);
  return frame;
}

/** Cuts what arrives into messages. A message may share memory with the chunk that it came in. */
export class FrameReader {
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  /** How many bytes are needed before there is anything to do. */
  #wanted = HEADER;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    // A large message comes in many chunks: they are concatenated once.
    return this.#length < this.#wanted ? [] : this.#cut();
  }

  #cut(): Buffer[] {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#length);
    const messages: Buffer[] = [];
    let at = 0;
    this.#wanted = HEADER;
    while (bytes.length - at >= HEADER) {
      const length = this.#lengthAt(bytes, at);
      if (bytes.length - at < HEADER + length) {
        this.#wanted = HEADER + length;
        break;
      }
      messages.push(bytes.subarray(at + HEADER, at + HEADER + length));
      at += HEADER + length;
    }
    this.#keep(bytes.subarray(at));
    return messages;
  }

  #keep(rest: Buffer): void {
    this.#chunks.length = 0;
    if (rest.length > 0) this.#chunks.push(rest);
    this.#length = rest.length;
  }

  #lengthAt(bytes: Buffer, at: number): number {
    if (bytes[at] !== 0)
      throw new GrpcError(GRPC.internal, 'the server compressed a message, which was not asked for');
    const length = bytes.readUInt32BE(at + 1);
    if (length > this.#maxBytes)
      throw new GrpcError(
        GRPC.resourceExhausted,
        `a message of ${length} bytes is larger than ${this.#maxBytes}`,
      );
    return length;
  }
}
