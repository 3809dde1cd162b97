// POST of an object that is not stored: the answer is computed from it.

import { quoteGo } from '@instar/go';
import { apiErrors, asKubeObject, isJsonObject, type JsonValue } from '@instar/machinery';
import type { ReviewResource } from '../../objects/virtual-resource.ts';
import { matchNamespace } from '../../objects/write/system-fields.ts';
import type { ApiRequest, ApiResponse } from '../../wire/exchange.ts';
import { negotiate, PLAIN } from '../../wire/negotiate.ts';
import { respondObject } from '../../wire/respond.ts';
import { readWriteOptions } from './options.ts';
import { bodyType, parseBody } from './parse-body.ts';

export async function createVirtual(request: ApiRequest, virtual: ReviewResource): Promise<ApiResponse> {
  const negotiated = negotiate(request, PLAIN);
  const type = bodyType(request);
  const body = await request.readBody();
  readWriteOptions(request.query, 'CreateOptions');
  const { value } = await parseBody(body, type, apiErrors.badRequest);
  const object = asKubeObject(objectOf(value, virtual));
  request.audit?.requestObject(object);
  matchNamespace(object, request.info.namespace, virtual.namespaced);
  return respondObject(201, await virtual.create(request, object), negotiated);
}

/** Clients may omit the kind; another one is an error. */
function objectOf(value: JsonValue, { group, version, kind }: ReviewResource) {
  if (!isJsonObject(value))
    throw apiErrors.badRequest(`the object provided is unrecognized (must be of type ${kind})`);
  const apiVersion = `${group}/${version}`;
  const { apiVersion: sentVersion = apiVersion, kind: sentKind = kind } = value;
  if (sentVersion !== apiVersion) {
    throw apiErrors.badRequest(
      `the API version in the data (${String(sentVersion)}) does not match the expected API version (${apiVersion})`,
    );
  }
  if (sentKind !== kind)
    throw apiErrors.badRequest(
      `${String(sentKind)} in version ${quoteGo(version)} cannot be handled as a ${kind}`,
    );
  return { ...value, apiVersion, kind, metadata: isJsonObject(value['metadata']) ? value['metadata'] : {} };
}
