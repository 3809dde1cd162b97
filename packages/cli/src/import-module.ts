// Loads a JavaScript module that a flag names, or fails with what is wrong with it.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CommandFailure } from './exit-with-message.ts';
import { fileProblem } from './file-problem.ts';

export async function importModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  const found = await stat(file).catch((error: unknown) => {
    throw new CommandFailure(fileProblem(error, file));
  });
  if (found.isDirectory())
    throw new CommandFailure(`${file} is a directory: name the JavaScript file itself`);
  return import(pathToFileURL(resolve(file)).href).catch((error: Error) => {
    throw new CommandFailure(`${file} cannot be loaded: ${error.message}`);
  });
}
