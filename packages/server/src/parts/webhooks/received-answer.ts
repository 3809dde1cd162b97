// What a webhook answered, for those who read reviews. Answers of which nothing can be read here are faults
// of the way to the webhook.
import { isUtf8 } from 'node:buffer';
import { CallError, type WebhookAnswer } from '@instar/convert';
import { quoteGo } from '@instar/go';
import type { Response } from './http1/response-reader.ts';

const MAX_TOLD = 512;

/** Throws a CallError. */
export function receivedAnswer(url: string, response: Response): WebhookAnswer {
  const redirected = redirection(response);
  const unreadable = redirected ?? encoding(response);
  if (unreadable === undefined) return new ReceivedAnswer(response);
  response.release();
  // What is encoded came from somebody who has seen the request, and may be about what is in it.
  throw new CallError(`Post "${url}": ${unreadable}`, 'call', { reached: redirected === undefined });
}

/**
 * Go's client follows those that keep the method. Not here: objects are sent where the configuration says,
 * and its caBundle is for that place.
 */
function redirection({ status, location }: Response): string | undefined {
  if (status < 300 || status > 399 || location === '') return undefined;
  return `the webhook redirects to ${told(location)} (HTTP ${status}), and redirects are not followed`;
}

function encoding({ status, contentEncoding }: Response): string | undefined {
  if (/^(identity)?$/i.test(contentEncoding)) return undefined;
  return `the answer has Content-Encoding ${told(contentEncoding)} (HTTP ${status}), and only answers without one are read`;
}

const told = (text: string): string => quoteGo(text.slice(0, MAX_TOLD));

/** Text is made of it only if somebody asks. */
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
