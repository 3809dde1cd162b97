// A conversion webhook, called as an API server calls it: one ConversionReview a call.
import { randomUUID } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text as readStream } from 'node:stream/consumers';
import type { ConvertFunction } from '@instar/lens/proof';
import { encodeJson, parseJson } from '@instar/machinery';
import type { WebhookAccess } from '../reach-webhook.ts';

const TIMEOUT_MS = 30_000;

export function callWebhook(url: string, options: WebhookAccess): ConvertFunction {
  return async (objects, desiredAPIVersion) => {
    const uid = randomUUID();
    const review = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      request: { uid, desiredAPIVersion, objects },
    };
    const answer = parseJson(await post(url, encodeJson(review), options)).value as unknown as ReviewAnswer;
    const { response } = answer;
    if (response?.uid !== uid) return { failure: 'the answer has a different uid than the request' };
    if (response.result?.status !== 'Success')
      return { failure: response.result?.message ?? 'the webhook refused without a message' };
    return { objects: response.convertedObjects ?? [] };
  };
}

interface ReviewAnswer {
  readonly response?: {
    readonly uid?: string;
    readonly result?: { readonly status?: string; readonly message?: string };
    readonly convertedObjects?: never[];
  };
}

function post(url: string, body: string, { ca, insecure }: WebhookAccess): Promise<string> {
  const send = url.startsWith('http:') ? requestHttp : requestHttps;
  return new Promise((resolve, reject) => {
    const request = send(
      url,
      {
        method: 'POST',
        timeout: TIMEOUT_MS,
        headers: { 'content-type': 'application/json' },
        rejectUnauthorized: !insecure,
        ...(ca !== undefined && { ca }),
      },
      (response) => {
        if (response.statusCode === 200) readStream(response).then(resolve, reject);
        else reject(new Error(`the webhook answered ${response.statusCode}`));
      },
    );
    request.on('timeout', () =>
      request.destroy(new Error(`the webhook did not answer within ${TIMEOUT_MS / 1000} seconds`)),
    );
    request.on('error', reject);
    request.end(body);
  });
}
