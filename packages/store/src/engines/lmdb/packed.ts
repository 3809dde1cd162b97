// Bytes told by what they repeat: of a text that reader and writer both have (the reference), and of
// themselves. A value that lies on disk so takes a fraction of the room, above all an old version beside the
// one that came after it. Pure; what serves as reference is said elsewhere.
//
// Packed bytes are pieces, each of: how many bytes come as they are, these bytes, how many are repeated, and
// from how far back, where the reference lies right before the value. Numbers are LEB128. The last piece
// repeats nothing, and may be missing.
const TABLE_BITS = 11;
const TABLE_SHIFT = 32 - TABLE_BITS;
const NOWHERE = 0;
/** Shorter repetitions are not worth a piece. */
const SHORTEST = 8;
const LONGEST_NUMBER = 5;

/** Where landmarks were seen last, plus one, by their hash. Used by one call at a time. */
const seen = new Int32Array(1 << TABLE_BITS);
let target = Buffer.allocUnsafe(16 * 1024);

export interface Reference {
  readonly bytes: Uint8Array;
  /** The initial table, for a reference that is reused. */
  readonly places?: Int32Array;
}

/** A reference that is reused. */
export function lastingReference(bytes: Uint8Array): Reference {
  remember(bytes, 0);
  return { bytes, places: seen.slice() };
}

/** The packed bytes, which the next call overwrites; undefined if they would take more than `limit`. */
export function pack(
  value: Uint8Array,
  { bytes: reference, places }: Reference,
  limit: number,
): Buffer | undefined {
  if (target.length < limit + 3 * LONGEST_NUMBER) target = Buffer.allocUnsafe(limit * 2 + 3 * LONGEST_NUMBER);
  const sparse = sparsenessOf(reference.length + value.length);
  if (places === undefined) remember(reference, sparse);
  else seen.set(places);
  const before = reference.length;
  const lastStart = value.length - SHORTEST;
  let written = 0;
  let told = 0;
  for (let at = 0; at <= lastStart; at++) {
    // Two versions of a value most likely begin alike, whether there is a landmark or not.
    if (at > 0 && !isLandmark(value[at]!)) continue;
    const hash = hashOf(value, at);
    const found = at === 0 ? 0 : seen[hash >>> TABLE_SHIFT]! - 1;
    if ((hash & sparse) === 0) seen[hash >>> TABLE_SHIFT] = before + at + 1;
    if (found < 0 || found >= before + at) continue;
    const source = found < before ? reference : value;
    const from = found < before ? found : found - before;
    const length = lengthOfMatch(source, from, value, at);
    if (length < SHORTEST) continue;
    const earlier = lengthBackwards(source, from, value, at, told);
    if (written + at - earlier - told > limit) return undefined;
    written = writePiece(value, told, at - earlier, written);
    written = writeNumber(before + at - found, writeNumber(length + earlier, written));
    told = at + length;
    at = told - 1;
  }
  if (written + value.length - told > limit) return undefined;
  if (told < value.length) written = writePiece(value, told, value.length, written);
  return written > limit ? undefined : target.subarray(0, written);
}

/**
 * Repetitions are searched at landmarks only, and then followed in both directions: searching everywhere
 * finds a little more and takes twice as long. One byte value in sixteen is a landmark, and the quotes of
 * JSON are among them.
 */
const isLandmark = (byte: number): boolean => (byte & 15) === 2;

/**
 * Of the landmarks in something long only some are recorded, always the same ones: as many as fit into the
 * table.
 */
function sparsenessOf(length: number): number {
  let mask = 0;
  while (length > (mask + 1) << (TABLE_BITS + 2)) mask = mask * 2 + 1;
  return mask;
}

function remember(reference: Uint8Array, sparse: number): void {
  seen.fill(NOWHERE);
  for (let at = 0; at <= reference.length - SHORTEST; at++) {
    if (!isLandmark(reference[at]!)) continue;
    const hash = hashOf(reference, at);
    if ((hash & sparse) === 0) seen[hash >>> TABLE_SHIFT] = at + 1;
  }
}

/** Of the bytes behind the landmark. */
function hashOf(bytes: Uint8Array, at: number): number {
  const near = bytes[at + 1]! | (bytes[at + 2]! << 8) | (bytes[at + 3]! << 16) | (bytes[at + 4]! << 24);
  const far = bytes[at + 5]! | (bytes[at + 6]! << 8) | (bytes[at + 7]! << 16);
  const hash = Math.imul(near ^ Math.imul(far, 0x85ebca6b), 0x9e3779b1);
  return hash ^ (hash >>> 15);
}

function lengthOfMatch(source: Uint8Array, from: number, value: Uint8Array, at: number): number {
  const longest = Math.min(source.length - from, value.length - at);
  let length = 0;
  while (length < longest && source[from + length] === value[at + length]) length++;
  return length;
}

/** How many bytes right before both positions are the same too, of those not yet packed. */
function lengthBackwards(
  source: Uint8Array,
  from: number,
  value: Uint8Array,
  at: number,
  told: number,
): number {
  const longest = Math.min(from, at - told);
  let length = 0;
  while (length < longest && source[from - length - 1] === value[at - length - 1]) length++;
  return length;
}

function writePiece(value: Uint8Array, from: number, to: number, at: number): number {
  let end = writeNumber(to - from, at);
  for (let next = from; next < to; next++) target[end++] = value[next]!;
  return end;
}

function writeNumber(number: number, at: number): number {
  let rest = number;
  let end = at;
  for (; rest >= 0x80; rest >>>= 7) target[end++] = (rest & 0x7f) | 0x80;
  target[end++] = rest;
  return end;
}

/** The value of `length` bytes that was packed from `start` on. Throws if that cannot be. */
export function unpack(packed: Uint8Array, start: number, length: number, reference: Uint8Array): Buffer {
  const value = Buffer.allocUnsafe(length);
  let end = 0;
  nextByte = start;
  while (end < length) {
    const given = readNumber(packed);
    if (end + given > length || nextByte + given > packed.length) throw damaged();
    copy(packed, nextByte, value, end, given);
    nextByte += given;
    end += given;
    if (end === length) break;
    const count = readNumber(packed);
    const from = end - readNumber(packed);
    if (
      count === 0 ||
      end + count > length ||
      from >= end ||
      from < -reference.length ||
      (from < 0 && from + count > 0)
    )
      throw damaged();
    if (from < 0) copy(reference, reference.length + from, value, end, count);
    else copy(value, from, value, end, count);
    end += count;
  }
  return value;
}

/** Where the next number is read. Used by one call at a time. */
let nextByte = 0;

function readNumber(packed: Uint8Array): number {
  let number = 0;
  for (let shift = 0; shift < 7 * LONGEST_NUMBER && nextByte < packed.length; shift += 7) {
    const byte = packed[nextByte++]!;
    number |= (byte & 0x7f) << shift;
    if (byte < 0x80) return number >>> 0;
  }
  throw damaged();
}

/**
 * From the first byte to the last, as what is copied may reach into what it makes. Native copies are worth
 * their call only from some length on.
 */
function copy(source: Uint8Array, from: number, value: Buffer, at: number, count: number): void {
  if (count > 256 && (source !== value || from + count <= at))
    value.set(source.subarray(from, from + count), at);
  else for (let next = 0; next < count; next++) value[at + next] = source[from + next]!;
}

const damaged = (): Error => new RangeError('packed bytes are damaged');
