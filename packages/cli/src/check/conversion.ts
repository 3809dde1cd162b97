// The conversion that --lens or --webhook names, as something that can be called.
import type { ConvertFunction } from '@instar/lens/proof';
import type { CheckFlags } from './flags.ts';

export interface NamedConversion {
  /** The definition that it is for; undefined: any. */
  readonly crd: string | undefined;
  readonly convert: ConvertFunction;
}

export async function openConversion(flags: CheckFlags): Promise<NamedConversion | undefined> {
  if (flags.lens !== undefined) return openLens(flags.lens);
  return flags.webhook === undefined ? undefined : openWebhook(flags.webhook, flags);
}

async function openLens(file: string): Promise<NamedConversion> {
  const { readLens } = await import('../lens/read-lens.ts');
  const lens = await readLens(file);
  return {
    crd: lens.crd,
    convert: (objects, apiVersion) => ({
      objects: objects.map((object) => lens.convert(object, apiVersion) as never),
    }),
  };
}

async function openWebhook(text: string, flags: CheckFlags): Promise<NamedConversion> {
  const [{ callWebhook }, { reachWebhook, webhookAccess, webhookUrl }] = await Promise.all([
    import('./call-webhook.ts'),
    import('../reach-webhook.ts'),
  ]);
  const url = webhookUrl(text);
  const access = await webhookAccess(flags);
  await reachWebhook(url, access);
  return { crd: undefined, convert: callWebhook(url.href, access) };
}
