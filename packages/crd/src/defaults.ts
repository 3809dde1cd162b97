// What a definition means where it says nothing. The port of a service is filled in when the definition is decoded, not here.
import { type CustomResourceDefinition, storageVersionOf } from './types.ts';

/** Changes `crd`. Runs at every decoding, of requests and of what is stored. */
export function applyCrdDefaults(crd: CustomResourceDefinition): void {
  const { spec } = crd;
  const { names } = spec;
  if (!names.singular && names.kind !== '') names.singular = names.kind.toLowerCase();
  if (!names.listKind && names.kind !== '') names.listKind = `${names.kind}List`;
  spec.conversion ??= { strategy: 'None' };
  dropEmptyWebhook(crd);
  const stored = storageVersionOf(crd);
  if ((crd.status.storedVersions?.length ?? 0) === 0 && stored !== undefined) crd.status.storedVersions = [stored.name];
}

/** A webhook of which nothing is said does not survive upstream's way through its internal form. */
function dropEmptyWebhook({ spec: { conversion } }: CustomResourceDefinition): void {
  const webhook = conversion?.webhook;
  const reviewVersions: readonly string[] | null | undefined = webhook?.conversionReviewVersions;
  if (webhook !== undefined && webhook.clientConfig === undefined && (reviewVersions ?? null) === null) delete conversion!.webhook;
}
