// Cuts the objects of a ConversionReview into texts of moderate size without looking at every byte. Two
// reasons: V8 puts strings of more than 128 KB where allocating them costs as much as parsing, and between
// the pieces other work can run.
//
// API servers write compact JSON with the keys in one order, so `},{"apiVersion":` is where an object may
// begin. It may also be inside an object; a piece cut there has unbalanced brackets and does not parse, and
// the caller then parses the whole review instead.

import { isAscii } from 'node:buffer';
import { endOfObject } from '@instar/machinery';

/** Where the objects of a review are in its bytes. */
export interface FoundObjects {
  readonly start: number;
  readonly end: number;
  /** The text where one object may end and the next begin. */
  readonly boundary: string;
  /** The review with an empty list in their place. */
  readonly rest: string;
}

/** A cut was inside an object: the review has to be read again, as a whole. */
export class CutError extends Error {
  override readonly name = 'CutError';
}

const PIECE_BYTES = 48 * 1024;
const LIST = '"objects":[';

/** Whether the body is long enough for cutting to pay off. */
export const isCutBetter = (body: Uint8Array, pieceBytes = PIECE_BYTES): boolean =>
  body.byteLength > 2 * pieceBytes;

/** Undefined if the body is not formatted as API servers do. */
export function findObjects(body: Buffer): FoundObjects | undefined {
  const list = body.indexOf(LIST);
  if (list < 0) return undefined;
  const start = list + LIST.length;
  const boundary = boundaryOf(body, start);
  if (boundary === undefined) return undefined;
  const lastBoundary = body.lastIndexOf(boundary);
  const lastStart = lastBoundary < start ? start : lastBoundary + 2;
  const end = endOfObject(body, lastStart);
  if (body[end] !== BRACKET) return undefined;
  const rest = `${body.toString('utf8', 0, start)}${body.toString('utf8', end)}`;
  // Of two lists with that name, this may be the wrong one.
  if (rest.indexOf(LIST) !== rest.lastIndexOf(LIST)) return undefined;
  return { start, end, boundary, rest };
}

/** Yields JSON lists of about `pieceBytes` each. */
export function* cutObjects(
  body: Buffer,
  { start: first, end, boundary }: FoundObjects,
  pieceBytes = PIECE_BYTES,
): Generator<string> {
  // For ASCII, latin1 gives the same text in half the time.
  const encoding = isAscii(body) ? 'latin1' : 'utf8';
  let start = first;
  while (end - start > 2 * pieceBytes) {
    const next = body.indexOf(boundary, start + pieceBytes);
    if (next < 0 || next >= end) break;
    yield listText(body, start, next + 1, encoding);
    start = next + 2;
  }
  yield listText(body, start, end, encoding);
}

/**
 * The objects between `start` and `end`, as a list. The bytes before and after, mostly commas, are
 * temporarily overwritten with brackets: adding brackets to the string would copy it.
 */
function listText(body: Buffer, start: number, end: number, encoding: 'latin1' | 'utf8'): string {
  const [before, after] = [body[start - 1]!, body[end]!];
  body[start - 1] = OPEN_BRACKET;
  body[end] = BRACKET;
  const text = body.toString(encoding, start - 1, end + 1);
  body[start - 1] = before;
  body[end] = after;
  return text;
}

const QUOTE = 0x22;
const OPEN = 0x7b;
const OPEN_BRACKET = 0x5b;
const BRACKET = 0x5d;

/** `},{"apiVersion":`, with the key that the first object begins with. */
function boundaryOf(body: Buffer, first: number): string | undefined {
  if (body[first] !== OPEN || body[first + 1] !== QUOTE) return undefined;
  const keyEnd = body.indexOf('":', first + 2);
  return keyEnd < 0 || keyEnd - first > 64 ? undefined : `},${body.toString('utf8', first, keyEnd + 2)}`;
}
