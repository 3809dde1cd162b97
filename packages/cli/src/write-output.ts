// Writes what a flag such as --output names to a file. If it cannot be written, the command says so and exits
// with 2.
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
