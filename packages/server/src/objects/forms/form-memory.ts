// Memory for forms, which are made by the thousand: several of them share a block. Not too many, since one
// form that is still needed keeps the whole block alive.
//
// V8 counts the memory of buffers with its heap, and runs a full collection after some more megabytes. A list
// of 10,000 converted objects would cause several, each for 100 ms of CPU and more, although what grows is
// cached for later, and bounded (form-budget.ts). Shared memory is not counted, so blocks are made of that.
// V8 is then slow to free what is no longer needed, hence the bound here, beyond which blocks are ordinary
// buffers. See docs/decisions/0016-garbage-of-a-cold-list.md.
const BLOCK_BYTES = 32 * 1024;
/** Larger forms get a buffer of their own. */
const MAX_SHARED_FORM_BYTES = BLOCK_BYTES / 4;
const MAX_UNCOUNTED_BYTES = 64 * 1024 * 1024;

let uncountedBytes = 0;
const collected = new FinalizationRegistry<number>((bytes) => {
  uncountedBytes -= bytes;
});

let block: Buffer = Buffer.alloc(0);
let used = 0;

export function allocateForm(bytes: number): Buffer {
  if (bytes > MAX_SHARED_FORM_BYTES) return Buffer.allocUnsafeSlow(bytes);
  if (used + bytes > block.length) {
    block = newBlock();
    used = 0;
  }
  used += bytes;
  return block.subarray(used - bytes, used);
}

function newBlock(): Buffer {
  if (uncountedBytes + BLOCK_BYTES > MAX_UNCOUNTED_BYTES) return Buffer.allocUnsafeSlow(BLOCK_BYTES);
  const memory = new SharedArrayBuffer(BLOCK_BYTES);
  collected.register(memory, BLOCK_BYTES);
  uncountedBytes += BLOCK_BYTES;
  return Buffer.from(memory);
}
