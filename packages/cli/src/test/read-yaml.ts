// Files with YAML or JSON in them, as values; what is wrong with them is told with the file's name.
import { readFile } from 'node:fs/promises';
import { isJsonObject, type JsonObject, parseYamlDocuments } from '@instar/machinery';
import { CommandFailure } from '../exit-with-message.ts';

const CANNOT_BEGIN = 2;

export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'does not exist' : code === 'EISDIR' ? 'is a directory' : `cannot be read: ${message}`;
    throw new CommandFailure(`${file} ${why}`, CANNOT_BEGIN);
  }
}

/** The objects in a file; documents that are empty are left out. */
export async function readObjects(file: string): Promise<JsonObject[]> {
  const text = await readText(file);
  try {
    return parseYamlDocuments(text)
      .map(({ value }) => value)
      .filter(isJsonObject);
  } catch (error) {
    throw new CommandFailure(`${file}: ${(error as Error).message}`, CANNOT_BEGIN);
  }
}
