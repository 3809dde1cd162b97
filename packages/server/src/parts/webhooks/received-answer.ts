// The answer of a webhook, for the parser of reviews. An answer that cannot be read is a failed call.
import { isUtf8 } from 'node:buffer';
import { CallError, type WebhookAnswer } from '@instar/convert';
import { quoteGo } from '@instar/go';
import type { Response } from './http1/response-reader.ts';

const MAX_QUOTED_CHARACTERS = 512;

/** Throws a CallError. */
export function receivedAnswer(url: string, response: Response): WebhookAnswer {
  const redirected = redirection(response);
  const unreadable = redirected ?? encoding(response);
  if (unreadable === undefined) return new ReceivedAnswer(response);
  response.release();
  // An encoded answer comes from a server that has seen the request, and may depend on its content.
  throw new CallError(`Post "${url}": ${unreadable}`, 'call', { reached: redirected === undefined });
}

/**
 * Go's client follows redirects that keep the method. Not here: objects are sent only where the configuration
 * says, and its caBundle is for that address.
 */
function redirection({ status, location }: Response): string | undefined {
  if (status < 300 || status > 399 || location === '') return undefined;
  return `the webhook redirects to ${quoted(location)} (HTTP ${status}), and redirects are not followed`;
}

function encoding({ status, contentEncoding }: Response): string | undefined {
  if (/^(identity)?$/i.test(contentEncoding)) return undefined;
  return `the answer has Content-Encoding ${quoted(contentEncoding)} (HTTP ${status}), and only answers without one are read`;
}

const quoted = (text: string): string => quoteGo(text.slice(0, MAX_QUOTED_CHARACTERS));

/** The text is decoded only if it is needed. */
class ReceivedAnswer implements WebhookAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly bytes: Buffer | undefined;
  readonly release: () => void;
  readonly #received: Buffer;

  constructor({ status, contentType, body, release }: Response) {
    this.status = status;
    this.contentType = contentType;
    this.bytes = isUtf8(body) ? body : undefined;
    this.#received = body;
    this.release = release;
  }

  get body(): string {
    return this.#received.toString('utf8');
  }
}
