// Room for forms, which are made by the thousand: many of them share a block. Not too many, since one that is
// still needed keeps the room of all.
//
// V8 adds the memory of buffers to that of its heap, and collects all of it after some more megabytes. A list
// of 10,000 converted objects would make it do so several times, each for 100 ms of CPU and more, although
// what grows is kept for later, and bounded (form-budget.ts). What may be shared by threads is not added, so
// that is what blocks are made of. V8 is then in no hurry to give back what is not needed any more either;
// hence the bound here, beyond which blocks are ordinary buffers. See
// docs/decisions/0016-garbage-of-a-cold-list.md.
const BLOCK_BYTES = 32 * 1024;
/** Larger ones have a buffer of their own. */
const MAX_SHARING_BYTES = BLOCK_BYTES / 4;
const MAX_UNCOUNTED_BYTES = 64 * 1024 * 1024;

let uncounted = 0;
const collected = new FinalizationRegistry<number>((bytes) => {
  uncounted -= bytes;
});

let block: Buffer = Buffer.alloc(0);
let used = 0;

export function roomForForm(bytes: number): Buffer {
  if (bytes > MAX_SHARING_BYTES) return Buffer.allocUnsafeSlow(bytes);
  if (used + bytes > block.length) {
    block = newBlock();
    used = 0;
  }
  used += bytes;
  return block.subarray(used - bytes, used);
}

function newBlock(): Buffer {
  if (uncounted + BLOCK_BYTES > MAX_UNCOUNTED_BYTES) return Buffer.allocUnsafeSlow(BLOCK_BYTES);
  const memory = new SharedArrayBuffer(BLOCK_BYTES);
  collected.register(memory, BLOCK_BYTES);
  uncounted += BLOCK_BYTES;
  return Buffer.from(memory);
}
