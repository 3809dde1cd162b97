// GET of one object, of its status (the same object) or of its scale.

import { apiErrors } from '@instar/machinery';
import { representObject } from '../../kinds/table/representation.ts';
import { readForm } from '../../objects/forms/read-forms.ts';
import type { ApiResponse } from '../../wire/exchange.ts';
import { ONE_OBJECT, readOptions } from './answer.ts';
import { negotiateScope } from './negotiate-scope.ts';
import { errorWithoutReason, parseResourceVersion } from './options.ts';
import type { RequestScope } from './request-scope.ts';
import { scaleOf } from './scale.ts';
import { annotated, showsStoredVersion } from './stored-version-annotation.ts';

export async function get(scope: RequestScope): Promise<ApiResponse> {
  const { request, resource, version, name } = scope;
  const negotiated = negotiateScope(scope, ONE_OBJECT);
  const query = request.rawQuery === '' ? undefined : request.query;
  if (query?.get('export') === 'true') throw exportIsGone();
  const text = query?.get('resourceVersion');
  await waitForRevision(scope, text ?? '');
  const cached = resource.cache.get(resource.key(scope.namespace, name));
  if (cached === undefined) throw resource.notFound(name);
  const form =
    resource.forms.formIfPossible(cached, version) ??
    (await readForm(resource.forms, cached, version, readOptions(negotiated, scope)));
  if (scope.subresource === 'scale') return scaleOf(scope, form, negotiated);
  const shown = showsStoredVersion(scope) ? annotated(form, cached) : form;
  return representObject(200, shown, version, negotiated, request);
}

const exportIsGone = () =>
  apiErrors.badRequest('the export parameter, deprecated since v1.14, is no longer supported');

/**
 * A read without a resourceVersion sees every write that was acknowledged before it; "0" takes what is
 * cached.
 */
async function waitForRevision(scope: RequestScope, text: string): Promise<void> {
  const { cache } = scope.resource;
  if (text === '') return cache.waitUntilFresh();
  return cache.waitUntilAtLeast(parseResourceVersion(text, errorWithoutReason));
}
