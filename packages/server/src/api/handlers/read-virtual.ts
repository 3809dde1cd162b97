// GET of objects that are computed, not stored: one, or all of them, as they are or as a Table.
import { apiErrors, asJson, type KubeObject } from '@instar/machinery';
import { partialObjectMetadata, partialObjectMetadataList } from '../../kinds/table/partial-metadata.ts';
import { parseIncludeObject, tableOf } from '../../kinds/table/table.ts';
import type { ReportResource } from '../../objects/virtual-resource.ts';
import type { ApiRequest, ApiResponse } from '../../wire/exchange.ts';
import { type Negotiated, negotiate } from '../../wire/negotiate.ts';
import { respondObject } from '../../wire/respond.ts';
import { COLLECTION, ONE_OBJECT } from './answer.ts';

/** Computed objects have no history. */
const NO_VERSION = { resourceVersion: '' };

export async function getVirtual(request: ApiRequest, virtual: ReportResource): Promise<ApiResponse> {
  const { name } = request.info;
  const negotiated = negotiate(request, ONE_OBJECT);
  const object = await virtual.get(name, request.query);
  if (object === undefined)
    throw apiErrors.notFound({ group: virtual.group, resource: virtual.resource }, name);
  switch (negotiated.representation) {
    case 'Object':
      return respondObject(200, object, negotiated);
    case 'PartialObjectMetadata':
      return respondObject(
        200,
        partialObjectMetadata(asJson(object), negotiated.representationVersion),
        negotiated,
      );
    case 'Table':
      return respondObject(200, tableOfAll([object], virtual, negotiated, request), negotiated);
    case 'PartialObjectMetadataList':
      throw apiErrors.raw({ code: 500, message: 'content is not a list' });
  }
}

export async function listVirtual(request: ApiRequest, virtual: ReportResource): Promise<ApiResponse> {
  const negotiated = negotiate(request, COLLECTION);
  const objects = await virtual.list(request.query);
  const { group, version, kind } = virtual;
  switch (negotiated.representation) {
    case 'Object':
      return respondObject(
        200,
        { kind: `${kind}List`, apiVersion: `${group}/${version}`, metadata: {}, items: objects },
        negotiated,
      );
    case 'PartialObjectMetadataList':
      return respondObject(
        200,
        partialObjectMetadataList(objects.map(asJson), NO_VERSION, negotiated.representationVersion),
        negotiated,
      );
    case 'Table':
      return respondObject(200, tableOfAll(objects, virtual, negotiated, request), negotiated);
    case 'PartialObjectMetadata':
      throw apiErrors.notAcceptable(
        'you requested PartialObjectMetadata, but the requested object is a list',
      );
  }
}

function tableOfAll(
  objects: readonly KubeObject[],
  { columns }: ReportResource,
  negotiated: Negotiated,
  request: ApiRequest,
) {
  const includeObject = parseIncludeObject(request.query.get('includeObject') ?? '');
  return tableOf(objects.map(asJson), columns, NO_VERSION, {
    version: negotiated.representationVersion,
    includeObject,
    now: Date.now(),
  });
}
