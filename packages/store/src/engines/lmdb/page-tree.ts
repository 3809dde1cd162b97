// Walks the page trees of an LMDB file, reading it as a file, before LMDB maps it. LMDB trusts its pages: a
// damaged one may crash the process, or silently hide entries. So every page that leads to an entry is
// checked here: its position, its type, that its references are in the file, that keys are in order, and that
// the tree has as many entries as it says. Values on separate pages are not read: they have a checksum
// (records.ts). It costs about 1 ms per 1,000 entries.
import { readSync } from 'node:fs';

/** A tree as its parent describes it: 48 bytes, the same in the header and in the entry of a named table. */
export interface TreeRecord {
  readonly depth: number;
  readonly entries: number;
  readonly root: number | undefined;
}

const TREE_BYTES = 48;
const NO_PAGE = 0xffff_ffff_ffff_ffffn;

export function parseTree(bytes: Buffer, at: number): TreeRecord {
  const root = bytes.readBigUInt64LE(at + 40);
  return {
    depth: bytes.readUInt16LE(at + 6),
    entries: Number(bytes.readBigUInt64LE(at + 32)),
    root: root === NO_PAGE ? undefined : Number(root),
  };
}

const PAGE_HEADER = 24;
const NODE_HEADER = 8;
const OVERFLOW_BYTES = 24;
const BRANCH = 1;
const LEAF = 2;
const BIG_DATA = 1;
const SUB_TREE = 2;
const DEEPEST = 32;

export class PageTrees {
  readonly #file: number;
  readonly #pageSize: number;
  readonly #pages: number;
  readonly #seen = new Set<number>();

  /** `pages` is the real number of pages in the file. */
  constructor(file: number, pageSize: number, pages: number) {
    this.#file = file;
    this.#pageSize = pageSize;
    this.#pages = pages;
  }

  /**
   * What is wrong with a tree and those below it; undefined if nothing is. `ordered` says that its keys sort
   * as bytes.
   */
  fault({ depth, entries, root }: TreeRecord, ordered: boolean): string | undefined {
    if (root === undefined) return entries === 0 ? undefined : 'a table has lost its root';
    if (depth < 1 || depth > DEEPEST) return 'a table is damaged';
    const walk: Walk = { ordered, reached: 0, lastKey: undefined };
    const fault = this.#walk(root, depth, walk);
    if (fault !== undefined) return fault;
    return walk.reached === entries
      ? undefined
      : `a table has ${walk.reached} entries, and should have ${entries}`;
  }

  /** How many pages the free tree lists: LMDB uses them before it makes the file larger. */
  freePages({ depth, root }: TreeRecord): number {
    return root === undefined ? 0 : this.#countFree(root, depth);
  }

  #countFree(number: number, levels: number): number {
    const page = this.#read(number, levels > 1 ? BRANCH : LEAF);
    if (page === undefined) return 0;
    let sum = 0;
    for (let index = 0; index < page.readUInt16LE(20) >> 1; index++) {
      const at = PAGE_HEADER + page.readUInt16LE(PAGE_HEADER + index * 2);
      sum +=
        levels > 1 ? this.#countFree(childOf(page, at), levels - 1) : listedPages(this.#valueAt(page, at));
    }
    return sum;
  }

  #valueAt(page: Buffer, at: number): Buffer {
    const start = at + NODE_HEADER + page.readUInt16LE(at + 6);
    const size = page.readUInt32LE(at);
    if (!(page.readUInt16LE(at + 4) & BIG_DATA)) return page.subarray(start, start + size);
    const value = Buffer.alloc(size);
    const first = Number(page.readBigUInt64LE(start));
    readSync(this.#file, value, 0, size, first * this.#pageSize + PAGE_HEADER);
    return value;
  }

  #walk(number: number, levels: number, walk: Walk): string | undefined {
    const page = this.#read(number, levels > 1 ? BRANCH : LEAF);
    if (page === undefined) return `page ${number} is damaged or missing`;
    const count = page.readUInt16LE(20) >> 1;
    for (let index = 0; index < count; index++) {
      const at = PAGE_HEADER + page.readUInt16LE(PAGE_HEADER + index * 2);
      const keyEnd =
        at + NODE_HEADER + (at + NODE_HEADER <= page.length ? page.readUInt16LE(at + 6) : page.length);
      if (keyEnd > page.length) return `page ${number} is damaged`;
      const fault =
        levels > 1
          ? this.#walk(childOf(page, at), levels - 1, walk)
          : this.#entryFault(page, at, keyEnd, walk);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  #entryFault(page: Buffer, at: number, keyEnd: number, walk: Walk): string | undefined {
    walk.reached++;
    const key = page.subarray(at + NODE_HEADER, keyEnd);
    if (walk.ordered && walk.lastKey !== undefined && walk.lastKey.compare(key) >= 0)
      return 'keys are out of order';
    walk.lastKey = walk.ordered ? key : undefined;
    const flags = page.readUInt16LE(at + 4);
    const size = flags & BIG_DATA ? OVERFLOW_BYTES : page.readUInt32LE(at);
    if (keyEnd + size > page.length) return 'an entry is damaged';
    if (flags & BIG_DATA)
      return this.#overflowFault(
        Number(page.readBigUInt64LE(keyEnd)),
        Number(page.readBigUInt64LE(keyEnd + 16)),
      );
    if (flags & SUB_TREE)
      return size === TREE_BYTES ? this.fault(parseTree(page, keyEnd), true) : 'a table is damaged';
    return undefined;
  }

  #overflowFault(first: number, count: number): string | undefined {
    return first >= 2 && count >= 1 && first + count <= this.#pages
      ? undefined
      : 'the end of the file is missing';
  }

  /** A page of the expected kind, visited for the first time. */
  #read(number: number, kind: number): Buffer | undefined {
    if (number < 2 || number >= this.#pages || this.#seen.has(number)) return undefined;
    this.#seen.add(number);
    const page = Buffer.allocUnsafe(this.#pageSize);
    readSync(this.#file, page, 0, this.#pageSize, number * this.#pageSize);
    const whole = Number(page.readBigUInt64LE(0)) === number && (page.readUInt16LE(18) & 0xf) === kind;
    const lower = page.readUInt16LE(20);
    return whole && lower <= page.readUInt16LE(22) && PAGE_HEADER + page.readUInt16LE(22) <= page.length
      ? page
      : undefined;
  }
}

interface Walk {
  readonly ordered: boolean;
  reached: number;
  lastKey: Buffer | undefined;
}

/** A list of pages: its length, then a page each, or a negative count and the first page of so many. */
function listedPages(list: Buffer): number {
  const end = 8 + 8 * Number(list.readBigUInt64LE(0));
  let sum = 0;
  for (let at = 8; at < Math.min(end, list.length); at += 8) {
    const item = Number(list.readBigInt64LE(at));
    sum += Math.abs(item > 0 ? 1 : item);
    if (item < 0) at += 8;
  }
  return sum;
}

/** Branch entries keep the page number where leaves keep the size and the flags. */
const childOf = (page: Buffer, at: number): number =>
  page.readUInt32LE(at) + page.readUInt16LE(at + 4) * 2 ** 32;
