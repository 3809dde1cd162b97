// Assembles one HTTP/1.1 response to a POST from the bytes of a connection, however they are split. What
// violates RFC 9112 is refused.
import type { SpareMemory } from '@instar/serving';

export interface Response {
  readonly status: number;
  /** As in the header; empty if there is none. So are the next two. */
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly location: string;
  readonly body: Buffer;
  /** How long another request may be sent over the same connection; 0: not at all. */
  readonly keepAliveMs: number;
  /** To be called when the body is no longer used. */
  release(): void;
}

/** What was received is not a response, or too large. */
class ResponseError extends Error {
  override readonly name = 'ResponseError';
}

const MAX_HEAD_BYTES = 64 * 1024;
/** Most responses to reviews of single objects are shorter. */
const INITIAL_BODY_BYTES = 4 * 1024;
const HEAD_END = '\r\n\r\n';
const LINE_END = '\r\n';

type State = 'head' | 'fixed' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailers' | 'until-end' | 'done';

export class ResponseReader {
  readonly #maxBodyBytes: number;
  readonly #memory: SpareMemory;
  #state: State = 'head';
  /** The beginning of a head or a line that is not complete yet. */
  #unread: Buffer = EMPTY;
  #head = { status: 0, contentType: '', contentEncoding: '', location: '', keepAliveMs: 0 };
  #body: Buffer = EMPTY;
  #length = 0;
  /** Bytes of the body, or of the chunk, that are not received yet. */
  #missing = 0;

  constructor(maxBodyBytes: number, memory: SpareMemory) {
    this.#maxBodyBytes = maxBodyBytes;
    this.#memory = memory;
  }

  get hasHead(): boolean {
    return this.#state !== 'head';
  }

  /** Reads received bytes; returns the response if it is complete. Does not hold on to the bytes. */
  read(bytes: Buffer): Response | undefined {
    let rest: Buffer | undefined = bytes;
    while (rest !== undefined && this.#state !== 'done') rest = this.#step(rest);
    if (this.#state !== 'done') return undefined;
    return this.#response(rest === undefined || rest.length === 0);
  }

  /** The webhook has ended the connection: returns the response, if it may end so. */
  end(): Response | undefined {
    return this.#state === 'until-end' ? this.#response(false) : undefined;
  }

  #response(isClean: boolean): Response {
    const whole = this.#body;
    let isReleased = false;
    const release = (): void => {
      if (!isReleased) this.#memory.give(whole);
      isReleased = true;
    };
    return {
      ...this.#head,
      body: whole.subarray(0, this.#length),
      keepAliveMs: isClean ? this.#head.keepAliveMs : 0,
      release,
    };
  }

  /** Returns the rest of the bytes; undefined if more must be received first. */
  #step(bytes: Buffer): Buffer | undefined {
    switch (this.#state) {
      case 'head':
        return this.#upTo(HEAD_END, bytes, (text) => this.#readHead(text));
      case 'chunk-size':
        return this.#upTo(LINE_END, bytes, (text) => this.#readChunkSize(text));
      case 'chunk-end':
        return this.#upTo(LINE_END, bytes, (text) => {
          if (text !== '') throw new ResponseError('malformed chunked encoding');
          this.#state = 'chunk-size';
        });
      case 'trailers':
        return this.#upTo(LINE_END, bytes, (text) => {
          if (text === '') this.#state = 'done';
        });
      default:
        return this.#take(bytes);
    }
  }

  #take(bytes: Buffer): Buffer | undefined {
    const taken = this.#state === 'until-end' ? bytes.length : Math.min(bytes.length, this.#missing);
    this.#reserve(taken);
    bytes.copy(this.#body, this.#length, 0, taken);
    this.#length += taken;
    if (this.#state === 'until-end') return undefined;
    this.#missing -= taken;
    if (this.#missing > 0) return undefined;
    this.#state = this.#state === 'chunk' ? 'chunk-end' : 'done';
    return bytes.subarray(taken);
  }

  /** Called once for a body whose length is known; for others as they grow. */
  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed > this.#maxBodyBytes)
      throw new ResponseError(`the answer has more than ${this.#maxBodyBytes} bytes`);
    if (needed <= this.#body.length) return;
    const larger = this.#memory.take(
      Math.min(this.#maxBodyBytes, Math.max(needed, 2 * this.#body.length, INITIAL_BODY_BYTES)),
    );
    this.#body.copy(larger, 0, 0, this.#length);
    this.#memory.give(this.#body);
    this.#body = larger;
  }

  #upTo(end: string, bytes: Buffer, read: (text: string) => void): Buffer | undefined {
    const all = this.#unread.length === 0 ? bytes : Buffer.concat([this.#unread, bytes]);
    const at = all.indexOf(end, Math.max(0, this.#unread.length - end.length));
    if (at > MAX_HEAD_BYTES || (at < 0 && all.length > MAX_HEAD_BYTES)) {
      throw new ResponseError(`server response headers exceeded ${MAX_HEAD_BYTES} bytes; aborted`);
    }
    // The bytes belong to the buffer of the connection, which is overwritten.
    this.#unread = at < 0 ? Buffer.from(all) : EMPTY;
    if (at < 0) {
      if (this.#state === 'head' && !isBeginning(all)) throw malformed(all.toString('latin1'));
      return undefined;
    }
    read(all.toString('latin1', 0, at));
    return all.subarray(at + end.length);
  }

  #readHead(text: string): void {
    const [first = '', ...lines] = text.split(LINE_END);
    const [, minor, code] = /^HTTP\/1\.(\d) (\d{3})(?: |$)/.exec(first) ?? [];
    if (code === undefined) throw malformed(first);
    const status = Number(code);
    // Informational: the final response follows.
    if (status >= 100 && status < 200 && status !== 101) return;
    const fields = fieldsOf(lines);
    this.#head = {
      status,
      contentType: fields.get('content-type') ?? '',
      contentEncoding: fields.get('content-encoding') ?? '',
      location: fields.get('location') ?? '',
      keepAliveMs: minor === '0' ? 0 : keepAliveOf(fields),
    };
    this.#expectBody(status, fields.get('transfer-encoding'), fields.get('content-length'));
  }

  #expectBody(status: number, encoding: string | undefined, length: string | undefined): void {
    if (status === 101) throw new ResponseError('the webhook wants to change the protocol');
    if (status === 204 || status === 304) this.#state = 'done';
    else if (encoding !== undefined) {
      if (encoding.toLowerCase() !== 'chunked')
        throw new ResponseError(`unsupported transfer encoding: ${JSON.stringify(encoding)}`);
      // With both headers, it is ambiguous where the next response begins.
      if (length !== undefined) this.#head.keepAliveMs = 0;
      this.#state = 'chunk-size';
    } else if (length === undefined) this.#state = 'until-end';
    else {
      const [value, ...others] = length.split(', ');
      if (!/^\d{1,15}$/.test(value!) || others.some((other) => other !== value)) {
        throw new ResponseError(`bad Content-Length ${JSON.stringify(length)}`);
      }
      this.#missing = Number(value);
      this.#reserve(this.#missing);
      this.#state = this.#missing === 0 ? 'done' : 'fixed';
    }
  }

  #readChunkSize(text: string): void {
    const [, size] = /^([0-9a-fA-F]{1,12})[ \t]*(?:;.*)?$/.exec(text) ?? [];
    if (size === undefined) throw new ResponseError('malformed chunked encoding');
    this.#missing = Number.parseInt(size, 16);
    this.#state = this.#missing === 0 ? 'trailers' : 'chunk';
  }
}

const EMPTY = Buffer.alloc(0);
const START = 'HTTP/1.';

/** True if a response may begin with these bytes. */
const isBeginning = (bytes: Buffer): boolean => START.startsWith(bytes.toString('latin1', 0, START.length));

const malformed = (text: string): ResponseError =>
  new ResponseError(`malformed HTTP response ${JSON.stringify(text.slice(0, 64))}`);

/** A second less than the webhook says, so that no request is sent while it closes the connection. */
function keepAliveOf(fields: ReadonlyMap<string, string>): number {
  if (/(^|[ \t,])close([ \t,]|$)/i.test(fields.get('connection') ?? '')) return 0;
  const seconds = /(?:^|[ \t,])timeout=(\d{1,6})(?:[ \t,]|$)/i.exec(fields.get('keep-alive') ?? '')?.[1];
  return seconds === undefined ? Number.POSITIVE_INFINITY : Math.max(0, (Number(seconds) - 1) * 1000);
}

/**
 * By their names in lower case; the values of a repeated field are joined by commas, as RFC 9110 specifies.
 */
function fieldsOf(lines: readonly string[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const line of lines) {
    // The expression does not match the white space around the value: it would backtrack at every blank
    // within.
    const [, name, text = ''] = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):(.*)$/.exec(line) ?? [];
    if (name === undefined) throw new ResponseError(`malformed MIME header line: ${line.slice(0, 64)}`);
    const key = name.toLowerCase();
    const value = text.trim();
    const before = fields.get(key);
    fields.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return fields;
}
