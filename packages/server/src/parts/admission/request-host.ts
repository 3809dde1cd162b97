// What the server provides to admission during one request.
import { randomUUID } from 'node:crypto';
import type { AdmissionObserver, PolicyHost } from '@instar/admission';
import {
  apiErrors,
  asJson,
  asKubeObject,
  deepCopy,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@instar/machinery';
import { mergeConfiguration } from '@instar/ownership';
import type { Log } from '@instar/serving';
import type { Authorizer } from '../../api/auth/authorizer.ts';
import type { VersionDefinition } from '../../objects/definition.ts';
import { convertObject, convertWithStash } from '../../objects/forms/convert-object.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import { mergeTypeFor } from '../../objects/write/ownership.ts';
import type { AdmissionOperation, WriteRequest } from '../../objects/write/write-request.ts';
import { AdmissionStash } from './admission-stash.ts';
import { authorizeFor } from './authorize.ts';
import { interpretPatched } from './interpret.ts';
import { findNamespace } from './namespace-lifecycle.ts';
import { paramKindFault, readParams } from './policy-params.ts';
import type { WebhookConnections } from './webhook-connections.ts';

export interface HostServices {
  readonly registry: ResourceRegistry;
  readonly namespaces: Resource;
  readonly authorizer: Authorizer;
  readonly connections: WebhookConnections;
  readonly observer: AdmissionObserver;
  readonly log: Log;
}

/** What admission notes of a request. */
export function annotate(log: Log, write: WriteRequest, annotation: string, value: string): void {
  const { user, resource, audit } = write;
  audit?.annotate(annotation, value);
  log.debug({ user: user.name, resource: resource.prefix, annotation, value }, 'admission annotation');
}

export function requestHost({ write, old, decode }: AdmissionOperation, services: HostServices): PolicyHost {
  const { resource, user, warnings } = write;
  const stash = new AdmissionStash();
  const { registry, namespaces, connections, observer, log } = services;
  return {
    convert: (object, apiVersion) => convert(object, apiVersion, write, object === old ? undefined : stash),
    interpret: (patched, strictness) =>
      decode === undefined
        ? interpretPatched(patched, resource, write.version.apiVersion, strictness)
        : decode(patched),
    applyConfiguration: (object, configuration) => {
      const version = decode === undefined ? resource.version(object.apiVersion) : undefined;
      if (version === undefined) throw noType(object);
      return withConfiguration(object, configuration, version);
    },
    namespaceLabels: async (name) => (await namespaceOf(namespaces, name)).metadata.labels ?? {},
    authorize: authorizeFor(services.authorizer, { uid: '', extra: {}, ...user }),
    call: (webhook, review) => connections.call(webhook, review),
    warn: (text) => warnings.push(text),
    annotate: (key, value) => annotate(log, write, key, value),
    auditsBodies: write.audit?.hasBodies ?? false,
    observer,
    newUid: randomUUID,
    now: () => performance.now(),
    isAborted: write.isAborted,
    paramKindFault: (kind) => paramKindFault(registry, kind),
    params: (kind, ref, namespace) => readParams(registry, kind, ref, namespace),
    namespaceObject: async (name) => namespaceValue(namespaces, name),
  };
}

/** The types of other kinds that a subresource takes are not known. */
function noType({ apiVersion, kind }: KubeObject): Error {
  const why = `no corresponding type for ${apiVersion}, Kind=${kind}`;
  return new Error(`failed to convert patch object to typed object: ${why}`);
}

/** Entries of managedFields hold other fields than the schema specifies for them. */
function withConfiguration(object: KubeObject, configuration: JsonObject, version: VersionDefinition) {
  const { managedFields, ...metadata } = object.metadata;
  const merged = mergeConfiguration(asJson({ ...object, metadata }), configuration, mergeTypeFor(version));
  if (managedFields !== undefined && isJsonObject(merged['metadata']))
    merged['metadata']['managedFields'] = managedFields as unknown as JsonValue;
  return merged;
}

async function namespaceOf(namespaces: Resource, name: string) {
  const found = await findNamespace(namespaces, name);
  if (found === undefined) throw namespaces.notFound(name);
  return found;
}

/** Without the fields that expressions do not get. */
async function namespaceValue(namespaces: Resource, name: string): Promise<JsonValue> {
  const { metadata, spec = {}, status = {} } = (await namespaceOf(namespaces, name)).parse();
  const { managedFields: _fields, ownerReferences: _owners, ...shown } = metadata;
  return { metadata: shown, spec, status } as unknown as JsonValue;
}

/**
 * The result may share parts with the copy, since patches of webhooks are applied to copies. `stash` for an
 * object that may be converted back.
 */
async function convert(
  object: KubeObject,
  apiVersion: string,
  { resource, waited }: WriteRequest,
  stash: AdmissionStash | undefined,
): Promise<KubeObject> {
  if (resource.version(object.apiVersion) === undefined) {
    throw apiErrors.raw({
      code: 500,
      message: `request to convert CR from an invalid group/version: ${object.apiVersion}`,
    });
  }
  const copy = asKubeObject(deepCopy(asJson(object)));
  if (stash === undefined || !resource.definition.converter.usesStash)
    return convertObject(resource, copy, apiVersion, waited);
  const [converted] = await convertWithStash(resource, [stash.restore(copy)], apiVersion, waited);
  return stash.take(converted!);
}
