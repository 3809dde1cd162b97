// Which secrets a pod uses, and whether its service account lists them.
import { isJsonObject, type JsonObject } from '@instar/machinery';
import type { Container, PodSpec, Volume } from '../../../kinds/validate/pod/pod-types.ts';

interface Account {
  readonly metadata: { readonly name?: string };
  readonly secrets?: readonly { readonly name?: string }[];
  readonly imagePullSecrets?: readonly { readonly name?: string }[];
}

type Named = readonly { readonly name?: string }[] | undefined;

/** The first secret that the account does not list, in a sentence. Other volumes are not looked at. */
export function secretFault(spec: PodSpec, account: Account, onlyEphemeral: boolean): string | undefined {
  const known = namesOf(account.secrets);
  const name = account.metadata.name ?? '';
  const forbidden = (text: string): string =>
    `${text} is not allowed because service account ${name} does not reference that`;
  if (onlyEphemeral)
    return faultOfContainers(spec.ephemeralContainers, 'ephemeral container', known, forbidden);
  for (const { secret } of spec.volumes ?? [])
    if (secret !== undefined && !known.has(secret.secretName ?? ''))
      return `${forbidden(`volume with secret.secretName="${secret.secretName ?? ''}"`)} secret`;
  const inContainers =
    faultOfContainers(spec.initContainers, 'init container', known, forbidden) ??
    faultOfContainers(spec.containers, 'container', known, forbidden);
  if (inContainers !== undefined) return inContainers;
  const pull = namesOf(account.imagePullSecrets);
  for (const [index, reference] of (spec.imagePullSecrets ?? []).entries())
    if (!pull.has(reference.name ?? ''))
      return `${forbidden(`imagePullSecrets[${index}].name="${reference.name ?? ''}"`)} imagePullSecret`;
  return undefined;
}

const namesOf = (references: Named): ReadonlySet<string> =>
  new Set((references ?? []).map(({ name }) => name ?? ''));

function faultOfContainers(
  containers: readonly Container[] | undefined,
  kind: string,
  known: ReadonlySet<string>,
  forbidden: (text: string) => string,
): string | undefined {
  for (const container of containers ?? []) {
    for (const { name, valueFrom } of container.env ?? []) {
      const secret = valueFrom?.secretKeyRef;
      if (secret !== undefined && !known.has(secret.name ?? ''))
        return `${forbidden(`${kind} ${container.name} with envVar ${name} referencing secret.secretName="${secret.name ?? ''}"`)} secret`;
    }
    for (const { secretRef } of container.envFrom ?? [])
      if (secretRef !== undefined && !known.has(secretRef.name ?? ''))
        return `${forbidden(`${kind} ${container.name} with envFrom referencing secret.secretName="${secretRef.name ?? ''}"`)} secret`;
  }
  return undefined;
}

/** Whether the pod names a secret anywhere. */
export function usesSecrets(spec: PodSpec): boolean {
  if ((spec.imagePullSecrets ?? []).length > 0) return true;
  const containers = [spec.initContainers, spec.containers, spec.ephemeralContainers].flatMap(
    (list) => list ?? [],
  );
  return containers.some(containerUsesSecrets) || (spec.volumes ?? []).some(volumeUsesSecrets);
}

const containerUsesSecrets = ({ env = [], envFrom = [] }: Container): boolean =>
  env.some(({ valueFrom }) => valueFrom?.secretKeyRef !== undefined) ||
  envFrom.some(({ secretRef }) => secretRef !== undefined);

const REFERENCES = ['secretRef', 'nodePublishSecretRef'];

function volumeUsesSecrets({ name: _, secret, projected, ...sources }: Volume): boolean {
  if (secret !== undefined || projected?.sources?.some((source) => source.secret !== undefined)) return true;
  const { azureFile } = sources as { azureFile?: JsonObject };
  return (
    azureFile !== undefined ||
    Object.values(sources).some(
      (source) =>
        isJsonObject(source as never) && REFERENCES.some((key) => (source as JsonObject)[key] != null),
    )
  );
}
