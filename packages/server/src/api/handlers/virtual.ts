// Requests for resources that are computed: calls the handler of the verb.

import type { ReportResource, ReviewResource } from '../../objects/virtual-resource.ts';
import type { ApiRequest, ApiResponse } from '../../wire/exchange.ts';
import { methodNotAllowed, resourceNotFound } from '../../wire/responses.ts';
import { createVirtual } from './create-virtual.ts';
import { getVirtual, listVirtual } from './read-virtual.ts';

export async function answerVirtual(
  request: ApiRequest,
  virtual: ReviewResource | ReportResource,
): Promise<ApiResponse> {
  const { verb, namespace, name, subresource } = request.info;
  if ('create' in virtual) {
    // There are no such objects, and no paths for them.
    if (name !== '' || virtual.namespaced !== (namespace !== '')) throw resourceNotFound();
    if (verb === 'create') return createVirtual(request, virtual);
  } else if (subresource === '') {
    if (verb === 'get') return getVirtual(request, virtual);
    if (verb === 'list') return listVirtual(request, virtual);
  }
  throw methodNotAllowed();
}
