// The conversion that --lens or --webhook names, as something that can be called.
import type { ConvertFunction } from '@instar/lens/proof';
import { fieldErrorMessage, parseYaml } from '@instar/machinery';
import { CommandFailure } from '../exit-with-message.ts';
import type { CheckFlags } from './flags.ts';
import { readFiles } from './sources/files.ts';

export interface NamedConversion {
  /** The definition that it is for; undefined: any. */
  readonly crd: string | undefined;
  readonly convert: ConvertFunction;
}

export async function openConversion({ lens, webhook, caFile, insecure }: CheckFlags): Promise<NamedConversion | undefined> {
  if (lens !== undefined) return openLens(lens);
  if (webhook === undefined) return undefined;
  const { callWebhook } = await import('./call-webhook.ts');
  const ca = caFile === undefined ? undefined : (await readFiles(caFile))[0]!.text;
  return { crd: undefined, convert: callWebhook(webhook, { insecure: insecure === true, ...(ca !== undefined && { ca }) }) };
}

async function openLens(file: string): Promise<NamedConversion> {
  const { parseLens } = await import('@instar/lens');
  const [source] = await readFiles(file);
  const parsed = parseLens(parseYaml(source!.text).value);
  if (parsed.lens === undefined) throw new CommandFailure(`${file}: ${parsed.errors.map(fieldErrorMessage).join('; ')}`, 2);
  const { lens } = parsed;
  return {
    crd: lens.crd,
    convert: (objects, apiVersion) => ({ objects: objects.map((object) => lens.convert(object, apiVersion) as never) }),
  };
}
