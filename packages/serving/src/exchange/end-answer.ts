// The end of answers over HTTP/1.1. When a request comes while the answer before it still lies in buffers of
// this process, Node's server stops reading the connection; over TLS it is handed the rest of that request
// all the same, takes it for a fault, and closes. No client sends its next request before it has the whole
// answer: so the end of a long one is held back until the rest is out.
import type { Writable } from 'node:stream';

/** Little enough to leave at once. */
const HELD_BACK = 1024;

/** `body` as an answer of which nothing but the headers has been sent. */
export function endAnswer(out: Writable, body: Uint8Array): void {
  const cut = body.byteLength - HELD_BACK;
  if (cut <= 0) out.end(body);
  else out.write(body.subarray(0, cut), (error) => error ?? out.end(body.subarray(cut)));
}

/** The same for a body in parts: the part to be sent when all others are out, and these. */
export function heldBack(parts: readonly Uint8Array[]): {
  readonly first: readonly Uint8Array[];
  readonly last: Uint8Array | undefined;
} {
  const end = parts.at(-1);
  if (end === undefined || end.byteLength <= HELD_BACK) return { first: parts.slice(0, -1), last: end };
  const cut = end.byteLength - HELD_BACK;
  return { first: [...parts.slice(0, -1), end.subarray(0, cut)], last: end.subarray(cut) };
}
