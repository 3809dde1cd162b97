// The end of answers over HTTP/1.1. When a request arrives while the answer before it is still buffered in
// this process, Node's server stops reading the connection; over TLS it nevertheless receives the rest of
// that request, treats it as an error, and closes the connection. No client sends its next request before it
// has the whole answer, so the end of a long one is held back until the rest has been sent.
import type { Writable } from 'node:stream';

/** Small enough to be sent immediately. */
const HELD_BACK_BYTES = 1024;

/** Sends the body of an answer whose headers have been sent. */
export function endAnswer(out: Writable, body: Uint8Array): void {
  const cut = body.byteLength - HELD_BACK_BYTES;
  if (cut <= 0) out.end(body);
  else out.write(body.subarray(0, cut), (error) => error ?? out.end(body.subarray(cut)));
}

/** The same for a body in parts: `last` is to be sent when all of `first` has been. */
export function heldBack(parts: readonly Uint8Array[]): {
  readonly first: readonly Uint8Array[];
  readonly last: Uint8Array | undefined;
} {
  const end = parts.at(-1);
  if (end === undefined || end.byteLength <= HELD_BACK_BYTES) return { first: parts.slice(0, -1), last: end };
  const cut = end.byteLength - HELD_BACK_BYTES;
  return { first: [...parts.slice(0, -1), end.subarray(0, cut)], last: end.subarray(cut) };
}
