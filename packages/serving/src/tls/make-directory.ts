// A directory with all that are above it. Node's own `recursive` never returns where the system answers "does
// not exist" to making a directory in one that is there, as below /proc.
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

export async function makeDirectory(directory: string, mode = 0o700): Promise<void> {
  if (await isMade(directory, mode)) return;
  await makeDirectory(dirname(directory), mode);
  if (!(await isMade(directory, mode)))
    throw Object.assign(new Error(`${directory} cannot be made`), { path: directory });
}

/** False if what it would be in is not there. */
async function isMade(directory: string, mode: number): Promise<boolean> {
  try {
    await mkdir(directory, { mode });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && dirname(directory) !== directory) return false;
    if (code === 'EEXIST' && (await stat(directory)).isDirectory()) return true;
    throw error;
  }
}
