// Responses in the negotiated representation: objects and lists themselves, as Tables, or their metadata.
import { apiErrors, type JsonObject } from '@instar/machinery';
import type { ResourceDefinition, VersionDefinition } from '../../objects/definition.ts';
import type { Listing } from '../../objects/listing.ts';
import type { EventRepresentation } from '../../objects/watch/event-encoder.ts';
import type { ApiRequest, ApiResponse } from '../../wire/exchange.ts';
import type { Negotiated } from '../../wire/negotiate.ts';
import { parseOwnBytes } from '../../wire/own-json.ts';
import { isPlain, respondBytes, respondObject } from '../../wire/respond.ts';
import { respondList } from './list-response.ts';
import { type ListMetadata, partialObjectMetadata, partialObjectMetadataList } from './partial-metadata.ts';
import { parseIncludeObject, rowOf, tableOf } from './table.ts';

export function representObject(
  status: number,
  form: Uint8Array,
  version: VersionDefinition,
  negotiated: Negotiated,
  request: ApiRequest,
): ApiResponse {
  switch (negotiated.representation) {
    case 'Object':
      return respondBytes(status, form, negotiated);
    case 'PartialObjectMetadata':
      return respondObject(
        status,
        partialObjectMetadata(parseOwnBytes(form), negotiated.representationVersion),
        negotiated,
      );
    case 'Table': {
      const object = parseOwnBytes(form);
      const { resourceVersion = '' } = object['metadata'] as { resourceVersion?: string };
      const table = tableOf(
        [object],
        version.columns,
        { resourceVersion },
        tableOptions(negotiated, request),
      );
      return respondObject(status, table, negotiated);
    }
    case 'PartialObjectMetadataList':
      throw version.decode === undefined
        ? apiErrors.raw({ code: 500, message: 'content is not a list' })
        : notAList(`*${goPackage(version.group)}.${String(parseOwnBytes(form)['kind'])}`);
  }
}

export const notAList = (goType: string) =>
  apiErrors.notAcceptable(
    `you requested PartialObjectMetadataList, but the requested object is not a list (${goType})`,
  );

export async function representList(
  listing: Listing,
  forms: readonly Uint8Array[],
  definition: ResourceDefinition,
  version: VersionDefinition,
  negotiated: Negotiated,
  request: ApiRequest,
): Promise<ApiResponse> {
  const metadata: ListMetadata = {
    resourceVersion: String(listing.revision),
    continue: listing.continue,
    remainingItemCount: listing.remaining,
  };
  switch (negotiated.representation) {
    case 'Object':
      if (isPlain(negotiated))
        return respondBytes(200, listParts(metadata, forms, definition, version), negotiated);
      return respondList(
        {
          list: emptyList(metadata, definition, version),
          member: 'items',
          forms,
          represent: itemRepresentation(definition),
        },
        negotiated,
      );
    case 'PartialObjectMetadata':
      throw apiErrors.notAcceptable(
        `you requested PartialObjectMetadata, but the requested object is a list (${goListType(definition, version)})`,
      );
    case 'PartialObjectMetadataList': {
      const list = partialObjectMetadataList([], metadata, negotiated.representationVersion);
      const represent = (object: JsonObject) =>
        partialObjectMetadata(object, negotiated.representationVersion);
      return respondList({ list, member: 'items', forms, represent }, negotiated);
    }
    case 'Table': {
      const options = tableOptions(negotiated, request);
      const list = tableOf([], version.columns, metadata, options);
      return respondList(
        { list, member: 'rows', forms, represent: (object) => rowOf(object, version.columns, options) },
        negotiated,
      );
    }
  }
}

const goListType = ({ typed, names }: ResourceDefinition, { group }: VersionDefinition): string =>
  typed ? `*${goPackage(group)}.${names.listKind}` : '*unstructured.UnstructuredList';

/** Of upstream's internal types; Events belong to the core group there. */
function goPackage(group: string): string {
  const [label = ''] = group.split('.', 1);
  return label === '' || label === 'events' ? 'core' : label;
}

/** The representation of watch events; undefined for the object itself. */
export function eventRepresentation(
  version: VersionDefinition,
  negotiated: Negotiated,
  request: ApiRequest,
): EventRepresentation | undefined {
  if (negotiated.representation === 'Object') return undefined;
  if (negotiated.representation !== 'Table') {
    const represent = (object: JsonObject) => partialObjectMetadata(object, negotiated.representationVersion);
    return { key: `metadata ${negotiated.representationVersion}`, isShared: true, represent };
  }
  let withColumns = true;
  const options = tableOptions(negotiated, request);
  const represent = (object: JsonObject) => {
    const { resourceVersion = '' } = object['metadata'] as { resourceVersion?: string };
    const table = tableOf(
      [object],
      version.columns,
      { resourceVersion },
      { ...options, withColumns, now: Date.now() },
    );
    withColumns = false;
    return table;
  };
  return { key: 'table', isShared: false, represent };
}

function tableOptions(negotiated: Negotiated, request: ApiRequest) {
  return {
    version: negotiated.representationVersion,
    includeObject: parseIncludeObject(request.query.get('includeObject') ?? ''),
    now: Date.now(),
  };
}

const OPEN = Buffer.from('{');
const END = Buffer.from(']}');

/**
 * The items' own bytes between a head and an end: nothing is parsed, encoded or copied; the transport writes
 * them one by one.
 */
function listParts(
  metadata: ListMetadata,
  forms: readonly Uint8Array[],
  definition: ResourceDefinition,
  version: VersionDefinition,
): Uint8Array[] {
  const parts: Uint8Array[] = [Buffer.from(listHead(metadata, definition, version))];
  // Items of typed lists have neither apiVersion nor kind: the bytes after them begin with metadata.
  const skip = definition.typed
    ? Buffer.byteLength(`{"apiVersion":"${version.apiVersion}","kind":"${definition.names.kind}",`)
    : 0;
  const separator = Buffer.from(skip > 0 ? ',{' : ',');
  for (let i = 0; i < forms.length; i++) {
    if (i > 0 || skip > 0) parts.push(i > 0 ? separator : OPEN);
    parts.push(skip > 0 ? forms[i]!.subarray(skip) : forms[i]!);
  }
  parts.push(END);
  return parts;
}

/** The list without its items, for other encodings. */
const emptyList = (
  metadata: ListMetadata,
  definition: ResourceDefinition,
  version: VersionDefinition,
): JsonObject => JSON.parse(`${listHead(metadata, definition, version)}]}`) as JsonObject;

const itemRepresentation =
  ({ typed }: ResourceDefinition) =>
  ({ apiVersion, kind, ...rest }: JsonObject): JsonObject =>
    typed ? rest : { apiVersion: apiVersion!, kind: kind!, ...rest };

function listHead(
  metadata: ListMetadata,
  { typed, names }: ResourceDefinition,
  { apiVersion }: VersionDefinition,
): string {
  const { resourceVersion, continue: next = '', remainingItemCount } = metadata;
  // Untyped lists always have `continue`, as upstream's do.
  const meta = {
    ...((next !== '' || !typed) && { continue: next }),
    ...(remainingItemCount !== undefined && { remainingItemCount }),
    resourceVersion,
  };
  return `{"kind":${JSON.stringify(names.listKind)},"apiVersion":${JSON.stringify(apiVersion)},"metadata":${JSON.stringify(meta)},"items":[`;
}
