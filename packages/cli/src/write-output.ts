// What a flag such as --output asks to be written to a file. A file that cannot be written is no result of
// the command: it says so, and ends with 2.
import { writeFile } from 'node:fs/promises';
import { CommandFailure } from './exit-with-message.ts';
import { writeProblem } from './file-problem.ts';

export async function writeOutput(file: string, text: string, flag: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new CommandFailure(`${flag}: ${writeProblem(error, file)}`);
  }
}
