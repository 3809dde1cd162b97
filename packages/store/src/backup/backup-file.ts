// The file of a backup: lines of JSON, compressed. The first line says what it is, each other one is an
// entry, and the last has their number and the hash of all lines before it. Values are text where possible,
// so that people and programs can read the file.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type StoredEntry, StoreError } from '../store.ts';
import type { Snapshot } from './entries.ts';

const FORMAT = 'instar-backup';
const VERSION = 1;
const NO_BACKUP = 'it is not a backup of instar';

interface BackupHeader {
  readonly format: typeof FORMAT;
  readonly version: number;
  /** The revision of the snapshot. */
  readonly revision: number;
  readonly createdAt: string;
}

/** What a backup contains. */
export interface BackupSummary {
  readonly entries: number;
  readonly revision: number;
  readonly sha256: string;
}

/** A backup that was opened and verified. */
export interface Backup {
  readonly snapshot: Snapshot;
  readonly summary: BackupSummary;
}

interface Line {
  readonly key: string;
  readonly value?: string;
  /** Instead of `value` for bytes that are not text. */
  readonly base64?: string;
  readonly createRevision: number;
  readonly modRevision: number;
}

/** Writes a snapshot as a backup file. */
export async function writeBackup(
  snapshot: Snapshot,
  sink: NodeJS.WritableStream,
  now = new Date(),
): Promise<BackupSummary> {
  let summary: BackupSummary | undefined;
  async function* lines(): AsyncGenerator<string> {
    const hash = createHash('sha256');
    const hashed = (line: object): string => {
      const text = `${JSON.stringify(line)}\n`;
      hash.update(text);
      return text;
    };
    const header: BackupHeader = {
      format: FORMAT,
      version: VERSION,
      revision: snapshot.revision,
      createdAt: now.toISOString(),
    };
    yield hashed(header);
    let entries = 0;
    for await (const entry of snapshot.entries) {
      yield hashed(lineOf(entry));
      entries++;
    }
    summary = { entries, revision: snapshot.revision, sha256: hash.digest('hex') };
    yield `${JSON.stringify({ entries, sha256: summary.sha256 })}\n`;
  }
  await pipeline(lines, createGzip({ level: 6 }), sink);
  return summary!;
}

function lineOf({ key, value, createRevision, modRevision }: StoredEntry): Line {
  const text = decodeText(value);
  return {
    key,
    ...(text === undefined ? { base64: Buffer.from(value).toString('base64') } : { value: text }),
    createRevision,
    modRevision,
  };
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads the whole file once to verify it; the second pass, through `entries`, can then trust it. */
export async function openBackup(file: string): Promise<Backup> {
  let revision = 0;
  let summary: { entries: number; sha256: string } | undefined;
  const hash = createHash('sha256');
  let count = 0;
  for await (const text of linesOf(file)) {
    if (summary !== undefined) throw damaged(file, 'something follows its end');
    const line = parse(file, text);
    if ('sha256' in line) summary = line as unknown as { entries: number; sha256: string };
    else {
      hash.update(`${text}\n`);
      if (count++ === 0) revision = headerOf(file, line).revision;
    }
  }
  if (summary === undefined) throw damaged(file, 'its end is missing');
  if (hash.digest('hex') !== summary.sha256 || count - 1 !== summary.entries)
    throw damaged(file, 'its checksum does not match');
  return { snapshot: { revision, entries: entriesOf(file) }, summary: { ...summary, revision } };
}

async function* entriesOf(file: string): AsyncGenerator<StoredEntry> {
  for await (const text of linesOf(file)) {
    const line = parse(file, text);
    if ('key' in line) yield entryOf(line as unknown as Line);
  }
}

function entryOf({ key, value, base64, createRevision, modRevision }: Line): StoredEntry {
  return {
    key,
    value: base64 === undefined ? Buffer.from(value ?? '') : Buffer.from(base64, 'base64'),
    createRevision,
    modRevision,
  };
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const source = createReadStream(file);
  const unzipped = source.on('error', (error) => unzipped.destroy(error)).pipe(createGunzip());
  let rest = '';
  let isBegun = false;
  try {
    for await (const chunk of unzipped.setEncoding('utf8')) {
      isBegun = true;
      const lines = (rest + (chunk as string)).split('\n');
      rest = lines.pop()!;
      yield* lines;
    }
  } catch (error) {
    // If a file cannot be read, nothing can be said about its contents.
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw damaged(file, isBegun ? (error as Error).message : NO_BACKUP);
  }
  if (rest !== '') throw damaged(file, 'its last line is cut off');
}

function parse(file: string, text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw damaged(file, 'a line is not JSON');
  }
}

function headerOf(file: string, line: Record<string, unknown>): BackupHeader {
  if (line['format'] !== FORMAT) throw damaged(file, NO_BACKUP);
  if (line['version'] !== VERSION)
    throw damaged(file, `it has version ${String(line['version'])}, and this release knows ${VERSION}`);
  return line as unknown as BackupHeader;
}

const damaged = (file: string, why: string): StoreError =>
  new StoreError('corrupt', `${file} cannot be restored: ${why}`);
