// Errors with the Status that is sent to the client. The texts are those that Kubernetes users know.

import { quoteGo } from '@instar/go';
import { aggregateMessage, type FieldError, statusCauses } from './field/error.ts';
import type { Status, StatusCause, StatusDetails, StatusReason } from './status.ts';

/** An error that is answered with its Status. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: Status;

  constructor(
    status: Omit<Status, 'kind' | 'apiVersion' | 'metadata' | 'status'> & { metadata?: Status['metadata'] },
  ) {
    super(status.message ?? status.reason ?? String(status.code));
    this.status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...status };
  }

  get code(): number {
    return this.status.code;
  }

  get reason(): StatusReason | undefined {
    return this.status.reason;
  }
}

/** A resource and its group, without a version. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

const qualified = (name: string, group: string): string => (group === '' ? name : `${name}.${group}`);
const resourceText = ({ group, resource }: GroupResource): string => qualified(resource, group);

/** Empty strings are left out of details, as Go's omitempty does. */
function details(
  group: string,
  kind: string,
  name: string,
  rest: Partial<StatusDetails> = {},
): StatusDetails {
  return {
    ...(name !== '' && { name }),
    ...(group !== '' && { group }),
    ...(kind !== '' && { kind }),
    ...rest,
  };
}

const ofResource = (r: GroupResource, name: string, rest?: Partial<StatusDetails>) =>
  details(r.group, r.resource, name, rest);

/** The errors of kube-apiserver, with their messages, reasons and codes. */
export const apiErrors = {
  notFound: (r: GroupResource, name: string) =>
    new ApiError({
      code: 404,
      reason: 'NotFound',
      message: `${resourceText(r)} ${quoteGo(name)} not found`,
      details: ofResource(r, name),
    }),

  alreadyExists: (r: GroupResource, name: string) =>
    new ApiError({
      code: 409,
      reason: 'AlreadyExists',
      message: `${resourceText(r)} ${quoteGo(name)} already exists`,
      details: ofResource(r, name),
    }),

  generateNameConflict: (r: GroupResource, name: string) =>
    new ApiError({
      code: 409,
      reason: 'AlreadyExists',
      message: `${resourceText(r)} ${quoteGo(name)} already exists, the server was not able to generate a unique name for the object`,
      details: ofResource(r, name, { retryAfterSeconds: 1 }),
    }),

  unauthorized: (message = 'Unauthorized') => new ApiError({ code: 401, reason: 'Unauthorized', message }),

  forbidden: (r: GroupResource, name: string, why: string) => {
    const subject =
      r.resource === ''
        ? 'forbidden'
        : name === ''
          ? `${resourceText(r)} is forbidden`
          : `${resourceText(r)} ${quoteGo(name)} is forbidden`;
    return new ApiError({
      code: 403,
      reason: 'Forbidden',
      message: `${subject}: ${why}`,
      details: ofResource(r, name),
    });
  },

  conflict: (r: GroupResource, name: string, why: string) =>
    new ApiError({
      code: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on ${resourceText(r)} ${quoteGo(name)}: ${why}`,
      details: ofResource(r, name),
    }),

  applyConflict: (causes: StatusCause[], message: string) =>
    new ApiError({ code: 409, reason: 'Conflict', message, details: { causes } }),

  gone: (message: string) => new ApiError({ code: 410, reason: 'Gone', message }),

  expired: (message: string, continueToken?: string) =>
    new ApiError({
      code: 410,
      reason: 'Expired',
      message,
      ...(continueToken !== undefined && { metadata: { continue: continueToken } }),
    }),

  invalid: (k: GroupKind, name: string, errors: readonly FieldError[]) => {
    const subject = `${qualified(k.kind, k.group)} ${quoteGo(name)} is invalid`;
    return new ApiError({
      code: 422,
      reason: 'Invalid',
      message: errors.length === 0 ? subject : `${subject}: ${aggregateMessage(errors)}`,
      details: details(k.group, k.kind, name, { causes: statusCauses(errors) }),
    });
  },

  badRequest: (message: string) => new ApiError({ code: 400, reason: 'BadRequest', message }),

  tooManyRequests: (message: string, retryAfterSeconds: number) =>
    new ApiError({ code: 429, reason: 'TooManyRequests', message, details: { retryAfterSeconds } }),

  serviceUnavailable: (message: string) => new ApiError({ code: 503, reason: 'ServiceUnavailable', message }),

  methodNotSupported: (r: GroupResource, action: string) =>
    new ApiError({
      code: 405,
      reason: 'MethodNotAllowed',
      message: `${action} is not supported on resources of kind ${quoteGo(resourceText(r))}`,
      details: ofResource(r, ''),
    }),

  serverTimeout: (r: GroupResource, operation: string, retryAfterSeconds: number) =>
    new ApiError({
      code: 500,
      reason: 'ServerTimeout',
      message: `The ${operation} operation against ${resourceText(r)} could not be completed at this time, please try again.`,
      details: ofResource(r, operation, { retryAfterSeconds }),
    }),

  internal: (message: string) =>
    new ApiError({
      code: 500,
      reason: 'InternalError',
      message: `Internal error occurred: ${message}`,
      details: { causes: [{ message }] },
    }),

  timeout: (message: string, retryAfterSeconds = 0) =>
    new ApiError({
      code: 504,
      reason: 'Timeout',
      message: `Timeout: ${message}`,
      details: retryAfterSeconds > 0 ? { retryAfterSeconds } : {},
    }),

  entityTooLarge: (message: string) =>
    new ApiError({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: `Request entity too large: ${message}`,
    }),

  unsupportedMediaType: (message: string) =>
    new ApiError({ code: 415, reason: 'UnsupportedMediaType', message }),

  notAcceptable: (message: string) => new ApiError({ code: 406, reason: 'NotAcceptable', message }),

  /**
   * For the few answers with another code or reason (a webhook's denial, an upstream quirk without a reason).
   */
  raw: (status: ConstructorParameters<typeof ApiError>[0]) => new ApiError(status),
} as const;
