// Texts from an archive on disk: a .tgz of a release or a chart, and the layers of an OCI image layout.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { CommandFailure } from '../../exit-with-message.ts';
import type { SourceText } from './parse-source.ts';

/** An archive may unpack to so much: a small file can hold a great deal of zeros. */
const MAX_BYTES = 256 * 1024 * 1024;
const BLOCK = 512;
const unzip = promisify(gunzip);

export const IS_ARCHIVE = /\.(tar|tgz|tar\.gz)$/i;

export async function readArchive(file: string, isWanted: (name: string) => boolean): Promise<SourceText[]> {
  return entriesOf(await unpacked(await readFile(file), file), file, isWanted);
}

/** The files of all layers of an OCI image layout, a directory with oci-layout and blobs/. */
export async function readOciLayout(
  directory: string,
  isWanted: (name: string) => boolean,
): Promise<SourceText[]> {
  const texts: SourceText[] = [];
  const blobs = join(directory, 'blobs', 'sha256');
  for (const name of (await readdir(blobs)).sort()) {
    const blob = await readFile(join(blobs, name));
    const isLayer = isGzip(blob) || isTar(blob);
    if (isLayer) texts.push(...entriesOf(await unpacked(blob, name), directory, isWanted));
  }
  return texts;
}

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
const isTar = (bytes: Buffer): boolean => bytes.toString('latin1', 257, 262) === 'ustar';

async function unpacked(bytes: Buffer, file: string): Promise<Buffer> {
  if (!isGzip(bytes)) return bytes;
  try {
    return await unzip(bytes, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    throw new CommandFailure(`${file}: cannot be unpacked: ${(error as Error).message}`, 2);
  }
}

function entriesOf(archive: Buffer, file: string, isWanted: (name: string) => boolean): SourceText[] {
  const texts: SourceText[] = [];
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0; ) {
    const size = numberAt(archive, at + 124, 12);
    const type = String.fromCharCode(archive[at + 156]!);
    const content = archive.subarray(at + BLOCK, at + BLOCK + size);
    if (content.length < size) throw new CommandFailure(`${file}: the archive ends within a file`, 2);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    // GNU and POSIX write names of more than 100 characters as an entry of their own.
    if (type === 'L') longName = textAt(content, 0, size);
    else if (type === 'x') longName = /(?:^|\n)\d+ path=([^\n]*)\n/.exec(content.toString('utf8'))?.[1];
    else {
      const name = longName ?? nameAt(archive, at - BLOCK - Math.ceil(size / BLOCK) * BLOCK);
      longName = undefined;
      if ((type === '0' || type === '\0') && isWanted(name))
        texts.push({ file: `${file}!${name}`, text: content.toString('utf8') });
    }
  }
  return texts.sort((a, b) => (a.file < b.file ? -1 : 1));
}

function nameAt(archive: Buffer, at: number): string {
  const prefix = isTar(archive.subarray(at)) ? textAt(archive, at + 345, 155) : '';
  const name = textAt(archive, at, 100);
  return prefix === '' ? name : `${prefix}/${name}`;
}

function textAt(bytes: Buffer, from: number, length: number): string {
  const text = bytes.toString('utf8', from, from + length);
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

/** Octal; a broken one would read on for ever. */
function numberAt(bytes: Buffer, from: number, length: number): number {
  const text = textAt(bytes, from, length).trim();
  const number = Number.parseInt(text || '0', 8);
  return Number.isSafeInteger(number) && number >= 0 ? number : Number.MAX_SAFE_INTEGER;
}
