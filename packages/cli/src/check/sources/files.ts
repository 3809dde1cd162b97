// Texts from a file, a folder with its subfolders, or standard input.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text as readStream } from 'node:stream/consumers';
import { CommandFailure } from '../../exit-with-message.ts';
import { fileProblem } from '../../file-problem.ts';
import { readText } from '../../test/read-yaml.ts';
import type { SourceText } from './parse-source.ts';
import { IS_ARCHIVE, readArchive, readOciLayout } from './tar.ts';

export const IS_READ = /\.(ya?ml|json)$/i;

export async function readFiles(path: string): Promise<SourceText[]> {
  if (path === '-') return [{ file: 'standard input', text: await readStream(process.stdin) }];
  try {
    if (!(await stat(path)).isDirectory())
      return IS_ARCHIVE.test(path)
        ? await readArchive(path, (name) => IS_READ.test(name))
        : [{ file: path, text: await readFile(path, 'utf8') }];
    const names = await readdir(path, { recursive: true });
    if (names.includes('oci-layout')) return await readOciLayout(path, (name) => IS_READ.test(name));
    const files = names
      .filter((name) => IS_READ.test(name) && !name.split(/[\\/]/).includes('node_modules'))
      .sort();
    return await Promise.all(
      files.map(async (name) => ({ file: join(path, name), text: await readFile(join(path, name), 'utf8') })),
    );
  } catch (error) {
    throw error instanceof CommandFailure ? error : new CommandFailure(fileProblem(error, path));
  }
}

/** For uses where a folder makes no sense. */
export function readOneFile(path: string): Promise<string> {
  return path === '-' ? readStream(process.stdin) : readText(path);
}
