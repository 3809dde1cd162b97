// PUT of an object or of its status.
import { apiErrors, asJson, asKubeObject, deepCopy, type KubeObject } from '@instar/machinery';
import { recordOwnership } from '../../objects/write/ownership.ts';
import { updateObject } from '../../objects/write/update.ts';
import type { ApiResponse } from '../../wire/exchange.ts';
import { ONE_OBJECT } from './answer.ts';
import { decodeBody } from './decode.ts';
import { negotiateScope } from './negotiate-scope.ts';
import { readWriteOptions } from './options.ts';
import { bodyType } from './parse-body.ts';
import type { RequestScope } from './request-scope.ts';
import { answerWritten, requireName, writeRequest } from './write.ts';

export async function update(scope: RequestScope): Promise<ApiResponse> {
  const { request, resource, version } = scope;
  requireName(scope);
  const negotiated = negotiateScope(scope, ONE_OBJECT);
  const body = await request.readBody();
  const options = readWriteOptions(request.query, 'UpdateOptions');
  const write = writeRequest(scope, options);
  const object = await decodeBody(body, bodyType(request), {
    resource,
    version,
    fieldValidation: options.fieldValidation,
    warnings: request.warnings,
    write,
  });
  request.audit?.requestObject(object);
  checkName(scope, object);
  const updated = await updateObject(write, {
    next: async (live) => recordOwnership(write, live, asKubeObject(deepCopy(asJson(object)))),
    uid: object.metadata.uid,
    mayCreate: resource.definition.strategy.allowCreateOnUpdate ?? false,
    options,
  });
  return answerWritten(scope, updated.created ? 201 : 200, updated, negotiated);
}

export function checkName({ name, namespace, resource }: RequestScope, { metadata }: KubeObject): void {
  if (resource.definition.namespaced && metadata.namespace && metadata.namespace !== namespace) {
    throw apiErrors.badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  }
  if (!metadata.name)
    throw apiErrors.badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  if (metadata.name !== name)
    throw apiErrors.badRequest(
      `the name of the object (${metadata.name}) does not match the name on the URL (${name})`,
    );
}
