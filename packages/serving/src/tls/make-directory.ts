// Creates a directory and its parents. Node's own `recursive` never returns where the system answers ENOENT
// for a directory whose parent exists, as below /proc.
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Creates a directory and those above it. */
export async function makeDirectory(directory: string, mode = 0o700): Promise<void> {
  if (await isCreated(directory, mode)) return;
  await makeDirectory(dirname(directory), mode);
  if (!(await isCreated(directory, mode)))
    throw Object.assign(new Error(`${directory} cannot be created`), { path: directory });
}

/** False if its parent does not exist. */
async function isCreated(directory: string, mode: number): Promise<boolean> {
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
