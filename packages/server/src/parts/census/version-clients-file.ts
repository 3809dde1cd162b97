// Keeps the table of clients across restarts: in a file beside the certificates, written periodically and
// when the server shuts down. What was recorded in the last seconds before a crash is lost; clients that
// still run will be seen again.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '@instar/serving';
import type { VersionClient, VersionClients } from './version-clients.ts';

const INTERVAL_MS = 30_000;

/** Resolves when the file has been read. The returned function writes it once more and stops. */
export async function keepVersionClients(
  clients: VersionClients,
  dataDir: string,
  log: Log,
): Promise<() => Promise<void>> {
  const file = join(dataDir, 'version-clients.json');
  clients.load(await read(file, log), Date.now());
  let written = clients.changes;
  const writeIfChanged = async (): Promise<void> => {
    const { changes } = clients;
    if (changes === written) return;
    try {
      await writeFile(`${file}.new`, JSON.stringify([...clients.all()]));
      await rename(`${file}.new`, file);
      written = changes;
    } catch (error) {
      log.warn({ err: error, file }, 'the clients of each version could not be written to disk');
    }
  };
  // Serially: all writes use one name for the new file, and a slow disk or a stall lets the next one begin
  // before the last one has renamed it.
  let writing = Promise.resolve();
  const write = (): Promise<void> => (writing = writing.then(writeIfChanged));
  const timer = setInterval(() => void write(), INTERVAL_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await write();
  };
}

async function read(file: string, log: Log): Promise<VersionClient[]> {
  try {
    const rows: unknown = JSON.parse(await readFile(file, 'utf8'));
    return Array.isArray(rows) ? (rows as VersionClient[]).filter(isRow) : [];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log.warn({ err: error, file }, 'the clients of each version could not be read from disk');
    return [];
  }
}

const isRow = (row: VersionClient): boolean =>
  [row.crd, row.version, row.user, row.userAgent].every((text) => typeof text === 'string') &&
  [row.firstSeen, row.lastSeen, row.reads, row.writes].every(Number.isFinite);
