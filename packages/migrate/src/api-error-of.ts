// The error in an answer that was read without the client's verbs.
import { ApiError, type Status } from '@instar/machinery';

export function apiErrorOf(code: number, body: Uint8Array): ApiError {
  const text = Buffer.from(body).toString();
  try {
    const status = JSON.parse(text) as Status;
    if (status.kind === 'Status') return new ApiError(status);
  } catch {
    // Something in between answered, with words of its own.
  }
  return new ApiError({ code, message: text.slice(0, 500) });
}
