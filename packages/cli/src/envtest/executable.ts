// Programs on this machine that the directory or the archive has besides our own.
import { access, constants, stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { CommandFailure } from '../exit-with-message.ts';

/** The absolute path of a program that a flag names. */
export async function executable(file: string, flag: string): Promise<string> {
  const path = resolve(file);
  if (!(await isExecutable(path)))
    throw new CommandFailure(`${flag}: ${file} is not a program that can be run`);
  return path;
}

export async function findOnPath(
  program: string,
  path = process.env['PATH'] ?? '',
): Promise<string | undefined> {
  for (const directory of path.split(delimiter)) {
    const file = resolve(join(directory, program));
    if (directory !== '' && (await isExecutable(file))) return file;
  }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
