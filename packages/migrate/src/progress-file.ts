// Files that hold the progress of a migration or a retirement: written whole and renamed into place. Errors
// name the file.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { MigrationError } from './migration-error.ts';

/** Undefined if there is none. */
export async function readProgressFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new MigrationError(
      code === 'EISDIR' ? `${path} is a directory` : `${path} cannot be read: ${message}`,
    );
  }
}

export async function writeProgressFile(path: string, text: string): Promise<void> {
  try {
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new MigrationError(
      `${path} cannot be written: ${code === 'ENOENT' ? 'its folder does not exist' : message}`,
    );
  }
}
