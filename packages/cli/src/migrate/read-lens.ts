// The lens of --lens, read from its file, and the two versions between which it goes.
import { readFile } from 'node:fs/promises';
import { type LensSet, parseLens } from '@instar/lens';
import { fieldErrorMessage, parseYaml } from '@instar/machinery';
import type { LensTask } from '@instar/migrate';
import { CommandFailure } from '../exit-with-message.ts';

export async function readLensTask(file: string, crd: string, back: boolean): Promise<LensTask> {
  const lens = await readLens(file);
  if (lens.crd !== crd) throw new CommandFailure(`${file} is about ${lens.crd}, not about ${crd}`, 2);
  const [oldest, newest] = [lens.versions[0]!, lens.versions.at(-1)!];
  return back ? { lens, from: newest, to: oldest } : { lens, from: oldest, to: newest };
}

async function readLens(file: string): Promise<LensSet> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new CommandFailure(`cannot read ${file}: ${(error as Error).message}`, 2);
  }
  const { lens, errors } = parseLens(parseYaml(text).value);
  if (lens === undefined) throw new CommandFailure(`${file}: ${errors.map(fieldErrorMessage).join('; ')}`, 2);
  return lens;
}
