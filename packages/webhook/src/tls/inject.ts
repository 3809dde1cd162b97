// Writes the CA into the webhook configuration or definition that refers to this host, so that API servers
// trust its certificate.
import {
  ApiError,
  isJsonObject,
  type JsonObject,
  type JsonPatchOperation,
  type JsonValue,
  type KubeObject,
} from '@instar/machinery';
import type { CertificateApi, InjectionTarget } from '../options.ts';

const MAX_ATTEMPTS = 5;

export const targetName = (target: InjectionTarget): string => {
  if ('customResourceDefinition' in target)
    return `customresourcedefinition/${target.customResourceDefinition}`;
  if ('mutatingWebhookConfiguration' in target)
    return `mutatingwebhookconfiguration/${target.mutatingWebhookConfiguration}`;
  return `validatingwebhookconfiguration/${target.validatingWebhookConfiguration}`;
};

/** Throws the error of the API server, or one that says that the object has no matching webhook. */
export async function inject(
  client: CertificateApi,
  target: InjectionTarget,
  caBundle: string,
): Promise<'written' | 'unchanged'> {
  const ref = refOf(target);
  for (let attempt = 1; ; attempt++) {
    const object = await client.get<KubeObject>(ref);
    const operations = injectionPatch(
      target,
      object as unknown as JsonObject,
      Buffer.from(caBundle).toString('base64'),
    );
    if (operations.length === 0) return 'unchanged';
    // Conflicts unless the resourceVersion is current: otherwise the indexes of the patch may be wrong.
    const guard = {
      op: 'replace',
      path: '/metadata/resourceVersion',
      value: object.metadata.resourceVersion ?? '',
    };
    try {
      await client.patch(ref, [guard, ...operations], { type: 'json', fieldManager: 'instar-webhook' });
      return 'written';
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !(error instanceof ApiError) || error.code !== 409) throw error;
    }
  }
}

function refOf(target: InjectionTarget) {
  if ('customResourceDefinition' in target) {
    return {
      group: 'apiextensions.k8s.io',
      version: 'v1',
      resource: 'customresourcedefinitions',
      name: target.customResourceDefinition,
    };
  }
  const configurations = { group: 'admissionregistration.k8s.io', version: 'v1' };
  if ('mutatingWebhookConfiguration' in target) {
    return {
      ...configurations,
      resource: 'mutatingwebhookconfigurations',
      name: target.mutatingWebhookConfiguration,
    };
  }
  return {
    ...configurations,
    resource: 'validatingwebhookconfigurations',
    name: target.validatingWebhookConfiguration,
  };
}

/**
 * The patch of the object; empty if it has the bundle already. `caBundle` is in base64. Throws if the object
 * has no matching webhook.
 */
export function injectionPatch(
  target: InjectionTarget,
  object: JsonObject,
  caBundle: string,
): JsonPatchOperation[] {
  return clientConfigsIn(target, object)
    .filter(({ clientConfig }) => clientConfig['caBundle'] !== caBundle)
    .map(({ path }) => ({ op: 'add', path: `${path}/caBundle`, value: caBundle }));
}

interface ClientConfigLocation {
  readonly path: string;
  readonly clientConfig: JsonObject;
}

function clientConfigsIn(target: InjectionTarget, object: JsonObject): ClientConfigLocation[] {
  if ('customResourceDefinition' in target) {
    const clientConfig = memberAt(object, ['spec', 'conversion', 'webhook', 'clientConfig']);
    if (!isJsonObject(clientConfig))
      throw new Error(
        `${targetName(target)} has no conversion webhook: set spec.conversion.strategy to Webhook first`,
      );
    return [{ path: '/spec/conversion/webhook/clientConfig', clientConfig }];
  }
  const { webhooks } = object;
  const found = (Array.isArray(webhooks) ? webhooks : []).flatMap((webhook, index) =>
    clientConfigOf(webhook, index, target.webhooks),
  );
  if (found.length === 0)
    throw new Error(`${targetName(target)} has no webhook ${target.webhooks?.join(' or ') ?? 'at all'}`);
  return found;
}

function clientConfigOf(
  webhook: JsonValue,
  index: number,
  wanted: readonly string[] | undefined,
): ClientConfigLocation[] {
  if (!isJsonObject(webhook) || !isJsonObject(webhook['clientConfig'])) return [];
  const isWanted = wanted === undefined || wanted.includes(webhook['name'] as string);
  return isWanted ? [{ path: `/webhooks/${index}/clientConfig`, clientConfig: webhook['clientConfig'] }] : [];
}

function memberAt(object: JsonObject, names: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const name of names) value = isJsonObject(value) ? value[name] : undefined;
  return value;
}
