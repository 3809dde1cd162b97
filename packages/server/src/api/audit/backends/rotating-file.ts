// A file that is renamed when it is full, as kube-apiserver's log of audit events: NAME-TIME.EXT, optionally
// compressed. Old ones are removed by number and age.
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

export interface RotationOptions {
  /** 0: never rotated. */
  readonly maxBytes: number;
  /** 0: forever. */
  readonly maxAgeMs: number;
  /** 0: all. */
  readonly maxBackups: number;
  readonly compress: boolean;
}

const COMPRESSED = '.gz';

export class RotatingFile {
  readonly #path: string;
  readonly #options: RotationOptions;
  readonly #now: () => number;
  readonly #onFault: (error: unknown) => void;
  #file: FileHandle | undefined;
  #size = 0;
  #cleaning: Promise<void> = Promise.resolve();

  /** `onFault`: an old file could not be compressed or removed. */
  constructor(
    path: string,
    options: RotationOptions,
    onFault: (error: unknown) => void,
    now: () => number = Date.now,
  ) {
    this.#path = path;
    this.#options = options;
    this.#onFault = onFault;
    this.#now = now;
  }

  /** Called one after the other. */
  async write(bytes: Uint8Array): Promise<void> {
    const { maxBytes } = this.#options;
    let file = await this.open();
    if (maxBytes > 0 && this.#size > 0 && this.#size + bytes.byteLength > maxBytes) {
      await this.#rotate();
      file = await this.open();
    }
    this.#size += bytes.byteLength;
    await file.appendFile(bytes);
  }

  /** So that a path that cannot be written is known at the start. */
  async open(): Promise<FileHandle> {
    if (this.#file !== undefined) return this.#file;
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    this.#file = await open(this.#path, 'a', 0o600);
    this.#size = (await this.#file.stat()).size;
    return this.#file;
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
    await this.#cleaning;
  }

  async #rotate(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
    await rename(this.#path, await this.#backupPath());
    this.#cleaning = this.#cleaning.then(() => this.#clean()).catch(this.#onFault);
  }

  /** Several files may be full within a millisecond. */
  async #backupPath(): Promise<string> {
    const taken = new Set(await readdir(dirname(this.#path)));
    const { start, end } = this.#nameParts();
    for (let time = this.#now(); ; time++) {
      const name = start + new Date(time).toISOString().slice(0, -1).replaceAll(':', '-') + end;
      if (!taken.has(name) && !taken.has(name + COMPRESSED)) return join(dirname(this.#path), name);
    }
  }

  #nameParts(): { start: string; end: string } {
    const end = extname(this.#path);
    return { start: `${basename(this.#path, end)}-`, end };
  }

  async #clean(): Promise<void> {
    const { maxAgeMs, maxBackups, compress } = this.#options;
    const backups = await this.#backups();
    const oldest = maxAgeMs === 0 ? Number.NEGATIVE_INFINITY : this.#now() - maxAgeMs;
    const count = maxBackups === 0 ? Number.POSITIVE_INFINITY : maxBackups;
    for (const [index, { path, time }] of backups.entries()) {
      if (index >= count || time < oldest) await rm(path, { force: true });
      else if (compress && !path.endsWith(COMPRESSED)) await this.#compress(path);
    }
  }

  /** The newest first. */
  async #backups(): Promise<{ path: string; time: number }[]> {
    const { start, end } = this.#nameParts();
    const folder = dirname(this.#path);
    const found = (await readdir(folder)).flatMap((name) => {
      const plain = name.endsWith(COMPRESSED) ? name.slice(0, -COMPRESSED.length) : name;
      if (!plain.startsWith(start) || !plain.endsWith(end)) return [];
      const time = timeOf(plain.slice(start.length, plain.length - end.length));
      return Number.isNaN(time) ? [] : [{ path: join(folder, name), time }];
    });
    return found.sort((a, b) => b.time - a.time);
  }

  async #compress(path: string): Promise<void> {
    const target = createWriteStream(path + COMPRESSED, { mode: 0o600 });
    try {
      await pipeline(createReadStream(path), createGzip(), target);
    } catch (error) {
      await rm(path + COMPRESSED, { force: true });
      throw error;
    }
    await rm(path, { force: true });
  }
}

const timeOf = (text: string): number =>
  /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}$/.test(text)
    ? Date.parse(`${text.slice(0, 11)}${text.slice(11).replaceAll('-', ':')}Z`)
    : Number.NaN;
