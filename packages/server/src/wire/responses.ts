// Responses that several handlers send: a Status, plain text, JSON, and the two forms of "not found".
import { ApiError, encodeJson, type Status } from '@instar/machinery';
import type { ApiResponse } from './exchange.ts';

const encoder = new TextEncoder();

export function jsonResponse(status: number, value: unknown): ApiResponse {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: encoder.encode(`${encodeJson(value)}\n`),
  };
}

/** As Go's http.Error: the text and a newline. */
export function errorText(status: number, text: string, headers: Record<string, string> = {}): ApiResponse {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff', ...headers },
    body: encoder.encode(`${text}\n`),
  };
}

/** For a path without a handler: not a Status. */
export const pageNotFound = (): ApiResponse => errorText(404, '404 page not found');

/**
 * For a missing resource in a group that upstream serves with typed handlers, such as the core group.
 */
export const resourceNotFound = (): ApiError =>
  new ApiError({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  });

export const methodNotAllowed = (): ApiError =>
  new ApiError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });

export function statusResponse(status: Status): ApiResponse {
  const response = jsonResponse(status.code, inWireOrder(status));
  const delay = retryAfterSeconds(status);
  if (delay !== undefined) response.headers['retry-after'] = String(delay);
  return response;
}

/** The members in the order in which upstream writes them. */
function inWireOrder({ kind, apiVersion, metadata, status, message, reason, details, code }: Status): Status {
  return {
    kind,
    apiVersion,
    metadata,
    status,
    ...(message !== undefined && { message }),
    ...(reason !== undefined && { reason }),
    ...(details !== undefined && { details }),
    code,
  };
}

function retryAfterSeconds(status: Status): number | undefined {
  const seconds = status.details?.retryAfterSeconds ?? 0;
  return seconds > 0 || (status.reason === 'ServerTimeout' && status.details !== undefined)
    ? seconds
    : undefined;
}
