// The defaults of a definition. The port of a service is set when the definition is decoded, not here.
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionStatus,
  CustomResourceDefinitionVersion,
} from './types.ts';

/** Changes `crd`. Runs at every decoding, of requests and of stored definitions. */
export function applyCrdDefaults(crd: CustomResourceDefinition): void {
  const { spec, status } = crd;
  fillInNames(spec.names);
  spec.conversion ??= { strategy: 'None' };
  dropEmptyWebhook(crd);
  fillInStoredVersions(status, spec.versions);
}

export function fillInNames(names: CustomResourceDefinitionNames): void {
  if (names.kind === '') return;
  if (!names.singular) names.singular = names.kind.toLowerCase();
  if (!names.listKind) names.listKind = `${names.kind}List`;
}

type VersionFlags = Pick<CustomResourceDefinitionVersion, 'name' | 'storage'>;

/** A request may leave the versions out; it is refused later. */
export function fillInStoredVersions(
  status: CustomResourceDefinitionStatus,
  versions: readonly VersionFlags[] | null | undefined,
): void {
  const stored = versions?.find(({ storage }) => storage);
  if ((status.storedVersions?.length ?? 0) === 0 && stored !== undefined)
    status.storedVersions = [stored.name];
}

/** An empty webhook does not survive upstream's conversion to its internal type. */
function dropEmptyWebhook({ spec: { conversion } }: CustomResourceDefinition): void {
  const webhook = conversion?.webhook;
  const reviewVersions: readonly string[] | null | undefined = webhook?.conversionReviewVersions;
  if (webhook !== undefined && webhook.clientConfig === undefined && (reviewVersions ?? null) === null)
    delete conversion!.webhook;
}
