// Reads files with YAML or JSON; errors name the file.
import { readFile } from 'node:fs/promises';
import { isJsonObject, type JsonObject, parseYamlDocuments } from '@instar/machinery';
import { CommandFailure } from '../exit-with-message.ts';
import { fileProblem } from '../file-problem.ts';

export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CommandFailure(fileProblem(error, file));
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
    throw new CommandFailure(`${file}: ${(error as Error).message}`);
  }
}
