// Reads a lens from its file, or fails with everything that is wrong with it.
import { type CompiledLensSet, type ParsedLens, parseLens } from '@instar/lens';
import { fieldErrorMessage } from '@instar/machinery';
import { CommandFailure } from '../exit-with-message.ts';
import { readObjects } from '../test/read-yaml.ts';

export async function readParsedLens(file: string): Promise<ParsedLens> {
  const lenses = (await readObjects(file)).filter(({ kind }) => kind === 'Lens');
  if (lenses.length === 1) return parseLens(lenses[0]!);
  throw new CommandFailure(
    lenses.length === 0 ? `${file} holds no Lens` : `${file} contains more than one Lens`,
    2,
  );
}

export async function readLens(file: string): Promise<CompiledLensSet> {
  const { lens, errors } = await readParsedLens(file);
  if (lens !== undefined) return lens;
  throw new CommandFailure(`${file}: ${errors.map(fieldErrorMessage).join('\n  ')}`, 2);
}
