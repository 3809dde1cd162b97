// Why a webhook did not let a request through: the call failed, or it denied the request.

import { quoteGo } from '@instar/go';
import { ApiError, apiErrors, type JsonObject, type Status } from '@instar/machinery';

/** The call failed, or the answer is not valid: the failurePolicy decides. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  /** As upstream's metrics count it. */
  readonly code: number;

  constructor(message: string, code = 503) {
    super(message);
    this.code = code;
  }
}

export const failedCall = (webhook: string, why: string): string =>
  `failed calling webhook ${quoteGo(webhook)}: ${why}`;

/** An object that cannot be converted for a webhook fails the request, whatever the failurePolicy says. */
export async function orInternalError<T>(converted: Promise<T>): Promise<T> {
  try {
    return await converted;
  } catch (error) {
    throw apiErrors.internal((error as Error).message);
  }
}

export class Denial extends ApiError {}

/** A denial says at least that it is one; the rest of the webhook's Status is passed on. */
export function denialOf(webhook: string, status: JsonObject | undefined): Denial {
  const { code, status: word, message, reason, details, metadata } = (status ?? {}) as Partial<Status>;
  const by = `admission webhook ${quoteGo(webhook)} denied the request`;
  const denial = {
    ...(metadata !== undefined && { metadata }),
    message: message ? `${by}: ${message}` : reason ? `${by}: ${reason}` : `${by} without explanation`,
    ...(reason && { reason }),
    ...(details !== undefined && { details }),
    code: code !== undefined && code >= 400 ? code : 400,
    status: word !== undefined && (word as string) !== '' && word !== 'Success' ? word : ('Failure' as const),
  };
  return new Denial(denial);
}
