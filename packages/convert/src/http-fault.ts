// How an HTTP error of a webhook reads: in the words of client-go, and so of kube-apiserver.

import { quoteGo } from '@instar/go';
import { isJsonObject, type JsonValue } from '@instar/machinery';
import type { WebhookFault } from './failure.ts';
import { parseReview } from './parse-review.ts';
import type { WebhookAnswer } from './webhook-call.ts';

const MAX_TEXT = 2048;

const TEXTS: ReadonlyMap<number, string> = new Map([
  [400, 'the server rejected our request for an unknown reason'],
  [401, 'the server has asked for the client to provide credentials'],
  [404, 'the server could not find the requested resource'],
  [405, 'the server does not allow this method on the requested resource'],
  [409, 'the server reported a conflict'],
  [422, 'the server rejected our request due to an error in our request'],
  [429, 'the server has received too many requests and has asked us to try again later'],
  [503, 'the server is currently unable to handle the request'],
  [
    504,
    'the server was unable to return a response in the time allotted, but may still be processing the request',
  ],
]);

/** For these the server's own text is used. */
const VERBATIM: ReadonlySet<number> = new Set([403, 406, 415]);

/** The text for an HTTP error; undefined for a success. */
export function httpErrorText(answer: WebhookAnswer): string | undefined {
  const { status } = answer;
  if (status >= 200 && status <= 206) return undefined;
  return statusMessage(answer.body) ?? genericText(status, textOf(answer));
}

const textOf = ({ contentType, body }: WebhookAnswer): string =>
  isText(contentType) ? body.slice(0, MAX_TEXT).trim() : 'unknown';

/** Undefined for a success. */
export function httpFault(answer: WebhookAnswer): WebhookFault | undefined {
  const told = httpErrorText(answer);
  if (told === undefined) return undefined;
  const { status } = answer;
  const text = textOf(answer);
  return {
    // A gateway without a backend says as little about the objects as a refused connection.
    kind: status >= 502 && status <= 504 ? 'call' : 'refused',
    upstreamType: 'conversion_webhook_call_failure',
    text: `failed: ${told}`,
    http: { status, text: text === 'unknown' ? '' : text },
  };
}

function genericText(status: number, text: string): string {
  const known = TEXTS.get(status);
  if (known !== undefined) return known;
  if (VERBATIM.has(status) && text !== 'unknown') return text;
  if (status >= 500)
    return `an error on the server (${quoteGo(text)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${status} but did not return more information`;
}

const isText = (contentType: string): boolean => contentType === '' || /^text\//i.test(contentType.trim());

/** A webhook may answer with a Status; its message is the error. */
function statusMessage(body: string): string | undefined {
  if (!body.trimStart().startsWith('{')) return undefined;
  const parsed = parseReview(body);
  return 'fault' in parsed ? undefined : failedStatus(parsed.value);
}

export function failedStatus(value: JsonValue): string | undefined {
  if (
    !isJsonObject(value) ||
    value['kind'] !== 'Status' ||
    value['apiVersion'] !== 'v1' ||
    value['status'] === 'Success'
  )
    return undefined;
  const { message } = value;
  return typeof message === 'string' && message !== '' ? message : undefined;
}
