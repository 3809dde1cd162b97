// Room for forms, which are made by the thousand: many of them share a buffer. Not too many, since one that is still needed keeps the room of all.
const SHARED_BYTES = 32 * 1024;
/** Larger ones have a buffer of their own. */
const MAX_SHARING_BYTES = SHARED_BYTES / 4;

let shared: Buffer = Buffer.alloc(0);
let used = 0;

export function roomForForm(bytes: number): Buffer {
  if (bytes > MAX_SHARING_BYTES) return Buffer.allocUnsafeSlow(bytes);
  if (used + bytes > shared.length) {
    shared = Buffer.allocUnsafeSlow(SHARED_BYTES);
    used = 0;
  }
  used += bytes;
  return shared.subarray(used - bytes, used);
}
