// Lens files as conversions. A file may have several lenses; KIND=FILE names the kind of a file with one.
import { parseLens } from '@instar/lens';
import { fieldErrorMessage } from '@instar/machinery';
import type { ConversionDefinition } from '@instar/webhook';
import { CommandFailure } from '../exit-with-message.ts';
import { readObjects } from '../test/read-yaml.ts';

export async function loadLenses(args: readonly string[]): Promise<ConversionDefinition[]> {
  return (await Promise.all(args.map(loadFile))).flat();
}

async function loadFile(arg: string): Promise<ConversionDefinition[]> {
  const { kind, file } = parts(arg);
  const documents = (await readObjects(file)).filter((object) => object['kind'] === 'Lens');
  if (documents.length === 0) throw new CommandFailure(`${file} holds no Lens`, 2);
  if (kind !== undefined && documents.length > 1)
    throw new CommandFailure(`${file} contains several lenses: they cannot all be for ${kind}`, 2);
  return documents.map((document) => {
    const parsed = parseLens(document);
    if (parsed.errors !== undefined)
      throw new CommandFailure(`${file}: ${parsed.errors.map(fieldErrorMessage).join('; ')}`, 2);
    return kind === undefined ? { lens: parsed.lens } : { kind, lens: parsed.lens };
  });
}

function parts(arg: string): { readonly kind: string | undefined; readonly file: string } {
  const match = /^([A-Z][A-Za-z0-9]*)=(.+)$/.exec(arg);
  return match === null ? { kind: undefined, file: arg } : { kind: match[1], file: match[2]! };
}
