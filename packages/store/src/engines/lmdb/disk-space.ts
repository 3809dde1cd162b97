// Whether the disk has space for a group, asked before LMDB writes it, and whether a failed write means that
// it had none. Asking first is necessary: when a write meets a full disk, lmdb 3.5.6 formats a message of up
// to 110 bytes into 100 bytes of heap, and the process may abort. Another program can still take the last
// bytes between question and write; then nothing acknowledged is lost, but the process may end.
//
// A delete needs space too: its pages are copied before they are freed, and history keeps the old value. So a
// reserve lies beside the data, a file that is removed when a delete, a compaction or an update that shrinks
// needs its space, and made again when there is enough.
import { randomBytes } from 'node:crypto';
import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreError } from '../../store.ts';
import { freeBytesWithin } from './data-file.ts';

const FULL = new Set([28 /* ENOSPC */, 27 /* EFBIG */, 122 /* EDQUOT */, -30792 /* MDB_MAP_FULL */]);
const EIO = 5;
const PAGE = 4096;
/** Stays free after every write, since what a write takes is an estimate. */
const MARGIN_BYTES = 256 * 1024;
/** Enough to delete the largest object that the server takes. */
const MAX_RESERVE_BYTES = 4 * 1024 * 1024;
/** So much may an update of an existing key grow on a full disk, so that deletionTimestamp can be set. */
const MAX_SMALL_GROWTH_BYTES = 1024;

/** What writing a group may take at most. */
export function bytesNeeded(writes: number, bytes: number): number {
  return bytes + writes * PAGE + MARGIN_BYTES;
}

/**
 * LMDB gives EIO when the system took only part of a write, as it does where the last free bytes end within
 * it.
 */
export function meansFull(code: number, free: number, needed: number): boolean {
  return FULL.has(code) || (code === EIO && free < needed);
}

/** Infinite if the file system does not report it. */
export function freeBytes(path: string): number {
  return sizesOf(path).free;
}

function sizesOf(path: string): { readonly free: number; readonly total: number } {
  try {
    const { bavail, blocks, bsize } = statfsSync(path);
    return { free: bavail * bsize, total: blocks * bsize };
  } catch {
    return { free: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY };
  }
}

export class DiskSpace {
  readonly #path: string;
  readonly #reserveFile: string;
  readonly #reserveBytes: number;
  #isReserved: boolean;
  #isFull = false;

  /** `path` is the data file. */
  constructor(path: string) {
    this.#path = path;
    this.#reserveFile = join(dirname(path), 'reserve');
    // Not much of a small disk.
    this.#reserveBytes = Math.min(MAX_RESERVE_BYTES, Math.floor(sizesOf(path).total / 8 / PAGE) * PAGE);
    this.#isReserved = sizeOf(this.#reserveFile) >= this.#reserveBytes;
    if (!this.#isReserved) this.#isFull = !this.#reserve();
  }

  /** Since a group did not fit, until there is space again. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Whether a group fits without the reserve. If it does not, the disk is full from now on. */
  fits(needed: number): boolean {
    this.#isFull ||= freeBytes(this.#path) < needed;
    return !this.#isFull;
  }

  /** Looks whether the disk is still full. */
  refresh(): void {
    if (this.#isFull && freeBytes(this.#path) >= this.#reserveBytes + 2 * MARGIN_BYTES)
      this.#isFull = !(this.#isReserved || this.#reserve());
  }

  /** On a full disk: why data must not grow by so much; undefined if the data file has free pages for it. */
  growthRefusal(bytes: number, isNew: boolean): StoreError | undefined {
    const available = freeBytes(this.#path) + (this.#isReserved ? this.#reserveBytes : 0);
    const needed = bytesNeeded(8, bytes);
    const isAffordable = available >= needed + this.#reserveBytes / 4;
    if (isAffordable && !isNew && bytes <= MAX_SMALL_GROWTH_BYTES) return undefined;
    if (isAffordable && freeBytesWithin(this.#path) >= 2 * needed) return undefined;
    return this.refusal();
  }

  /** On a full disk: takes the reserve if a group needs it. False if even that is not enough. */
  release(needed: number): boolean {
    if (freeBytes(this.#path) >= needed) return true;
    rmSync(this.#reserveFile, { force: true });
    this.#isReserved = false;
    return freeBytes(this.#path) >= needed;
  }

  refusal(cause?: unknown): StoreError {
    const what = `the disk of ${this.#path} is full (${freeBytes(this.#path)} bytes are free)`;
    return new StoreError('full', `${what}: delete objects, which still works, or give it more space`, {
      cause,
    });
  }

  #reserve(): boolean {
    if (freeBytes(this.#path) < this.#reserveBytes + MARGIN_BYTES) return false;
    try {
      // Nothing that a file system could compress.
      writeFileSync(this.#reserveFile, randomBytes(this.#reserveBytes), { mode: 0o600 });
      this.#isReserved = true;
    } catch {
      rmSync(this.#reserveFile, { force: true });
    }
    return this.#isReserved;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? -1;
}
