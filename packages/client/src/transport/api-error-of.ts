// The ApiError of an answer that is not a success: with the server's Status, or a synthetic one if something
// else answered (a proxy, a load balancer).
import { ApiError, isJsonObject, parseJson, type Status, type StatusReason } from '@instar/machinery';

const REASONS: ReadonlyMap<number, StatusReason> = new Map([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [405, 'MethodNotAllowed'],
  [406, 'NotAcceptable'],
  [409, 'Conflict'],
  [410, 'Gone'],
  [413, 'RequestEntityTooLarge'],
  [415, 'UnsupportedMediaType'],
  [422, 'Invalid'],
  [429, 'TooManyRequests'],
  [500, 'InternalError'],
  [503, 'ServiceUnavailable'],
  [504, 'Timeout'],
]);
const MAX_BODY_CHARS = 500;

/** The error that an answer is: its Status, or one made from its code. */
export function apiErrorOf(code: number, body: Uint8Array, what: string): ApiError {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  return apiErrorOfStatus(parsedStatus(text), code) ?? syntheticError(code, text, what);
}

export function apiErrorOfStatus(status: Status | undefined, code: number): ApiError | undefined {
  return status === undefined ? undefined : new ApiError({ ...status, code: status.code ?? code });
}

function parsedStatus(text: string): Status | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const { value } = parseJson(text);
    return isJsonObject(value) && value['kind'] === 'Status' ? (value as unknown as Status) : undefined;
  } catch {
    return undefined;
  }
}

function syntheticError(code: number, text: string, what: string): ApiError {
  const reason = REASONS.get(code);
  const said = text.trim() === '' ? '' : `: ${text.trim().slice(0, MAX_BODY_CHARS)}`;
  return new ApiError({
    code,
    ...(reason !== undefined && { reason }),
    message: `the server answered ${what} with ${code}${said}`,
  });
}
