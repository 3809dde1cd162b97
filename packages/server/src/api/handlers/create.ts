// POST to a collection.

import { createObject } from '../../objects/write/create.ts';
import type { ApiResponse } from '../../wire/exchange.ts';
import { ONE_OBJECT } from './answer.ts';
import { decodeBody } from './decode.ts';
import { negotiateScope } from './negotiate-scope.ts';
import { readWriteOptions } from './options.ts';
import { bodyType } from './parse-body.ts';
import type { RequestScope } from './request-scope.ts';
import { answerWritten, writeRequest } from './write.ts';

export async function create(scope: RequestScope): Promise<ApiResponse> {
  const { request, resource, version } = scope;
  const negotiated = negotiateScope(scope, ONE_OBJECT);
  const type = bodyType(request);
  const body = await request.readBody();
  const options = readWriteOptions(request.query, 'CreateOptions');
  const write = writeRequest(scope, options);
  const object = await decodeBody(body, type, {
    resource,
    version,
    fieldValidation: options.fieldValidation,
    warnings: request.warnings,
    write,
  });
  request.audit?.requestObject(object);
  const written = await createObject(write, object, options);
  return answerWritten(scope, 201, written, negotiated);
}
