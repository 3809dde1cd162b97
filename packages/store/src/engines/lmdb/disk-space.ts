// Whether the disk has room for a group, asked before LMDB writes it, and whether a failed write means that
// it had none. Asking first is not a nicety: when a write meets a full disk, lmdb 3.5.6 formats a message of
// up to 110 bytes into 100 bytes of heap, and the process may abort. Another program can still take the last
// bytes between question and write; then nothing acknowledged is lost, but the process may end.
import { statfsSync } from 'node:fs';

const FULL = new Set([28 /* ENOSPC */, 27 /* EFBIG */, 122 /* EDQUOT */, -30792 /* MDB_MAP_FULL */]);
const EIO = 5;
const PAGE = 4096;
/** Kept free when something is added, so that compaction, which asks for less, can still make room. */
const RESERVE = 1024 * 1024;
const RESERVE_FOR_REMOVING = 256 * 1024;

export interface GroupSize {
  readonly writes: number;
  readonly bytes: number;
  /** Whether any entry is put, as opposed to history being removed. */
  readonly adds: boolean;
}

export function bytesNeeded({ writes, bytes, adds }: GroupSize): number {
  return adds ? bytes + writes * PAGE + RESERVE : RESERVE_FOR_REMOVING;
}

/**
 * LMDB gives EIO when the system took only part of a write, as it does where the last free bytes end within
 * it.
 */
export function meansFull(code: number, free: number, needed: number): boolean {
  return FULL.has(code) || (code === EIO && free < needed);
}

/** If the file system does not tell, there is room as far as we know. */
export function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
