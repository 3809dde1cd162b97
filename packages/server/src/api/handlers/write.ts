// Shared by the handlers of writes: makes the write request of a scope, and the answer from its result.
import { apiErrors } from '@instar/machinery';
import { managerOf } from '@instar/ownership';
import { representObject } from '../../kinds/table/representation.ts';
import { encodeForClient } from '../../objects/cached-object.ts';
import { readForm } from '../../objects/forms/read-forms.ts';
import { TimeSlice } from '../../objects/time-slice.ts';
import { ConversionMemo } from '../../objects/write/conversion-memo.ts';
import type { Written } from '../../objects/write/create.ts';
import type { WriteRequest } from '../../objects/write/write-request.ts';
import type { ApiResponse } from '../../wire/exchange.ts';
import type { Negotiated } from '../../wire/negotiate.ts';
import type { RequestScope } from './request-scope.ts';

export function writeRequest(
  scope: RequestScope,
  options: { dryRun: boolean; fieldManager?: string },
): WriteRequest {
  const { request, services } = scope;
  const agent = request.headers['user-agent'];
  return {
    resource: scope.resource,
    version: scope.version,
    namespace: scope.namespace,
    name: scope.name,
    subresource: scope.subresource as WriteRequest['subresource'],
    dryRun: options.dryRun,
    manager: managerOf(options.fieldManager, typeof agent === 'string' ? agent : undefined),
    user: request.user,
    now: services.now(),
    admission: services.admission,
    warnings: request.warnings,
    audit: request.audit,
    warn: (text) => request.warnings.push(text),
    waited: scope.waited,
    slice: new TimeSlice(),
    isAborted: () => request.signal.aborted,
    conversions: convertsByWebhook(scope) ? new ConversionMemo() : undefined,
  };
}

const convertsByWebhook = ({ resource }: RequestScope): boolean =>
  resource.definition.converter.convertNow === undefined;

/** The object as it now is (or, after a dry run, would be), in the negotiated representation. */
export async function answerWritten(
  scope: RequestScope,
  status: number,
  written: Written,
  negotiated: Negotiated,
): Promise<ApiResponse> {
  const { version, request } = scope;
  return representObject(status, await writtenForm(scope, written), version, negotiated, request);
}

/** The form that answers a write. If it needs a conversion that may fail, that was made before the commit. */
export async function writtenForm(
  { resource, version, waited }: RequestScope,
  { cached, form, object }: Written,
): Promise<Uint8Array> {
  if (cached === undefined) return encodeForClient(object!);
  return form ?? (await readForm(resource.forms, cached, version, { waited }));
}

export function requireName(scope: RequestScope): void {
  if (scope.name === '') throw apiErrors.badRequest('name must be provided');
}
