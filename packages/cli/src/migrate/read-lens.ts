// The lens of --lens, and the two versions that it joins.
import type { LensTask } from '@instar/migrate';
import { CommandFailure } from '../exit-with-message.ts';
import { readLens } from '../lens/read-lens.ts';

export async function readLensTask(file: string, crd: string, back: boolean): Promise<LensTask> {
  const lens = await readLens(file);
  if (lens.crd !== crd) throw new CommandFailure(`${file} is about ${lens.crd}, not about ${crd}`);
  const [oldest, newest] = [lens.versions[0]!, lens.versions.at(-1)!];
  return back ? { lens, from: newest, to: oldest } : { lens, from: oldest, to: newest };
}
