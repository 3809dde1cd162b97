// A conversion webhook at a URL, in any language. It is called as a Kubernetes API server would, but its
// answers are not corrected: a server would silently restore metadata that the webhook changed.
import { randomUUID } from 'node:crypto';
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { encodeReview, readReview, type WebhookAnswer } from '@instar/convert';
import { encodeJson, type JsonValue } from '@instar/machinery';
import { reachWebhook, webhookAccess, webhookUrl } from '../../reach-webhook.ts';
import type { Target } from './target.ts';

export interface UrlOptions {
  readonly caFile?: string | undefined;
  readonly insecure?: boolean | undefined;
  readonly reviewVersion: 'v1' | 'v1beta1';
  readonly timeout: number;
}

export async function urlTarget(text: string, options: UrlOptions): Promise<Target> {
  const url = webhookUrl(text);
  const access = await webhookAccess(options);
  await reachWebhook(url, access, options.timeout);
  const { ca, insecure } = access;
  const agent =
    url.protocol === 'http:'
      ? new HttpAgent({ keepAlive: true })
      : new HttpsAgent({ keepAlive: true, rejectUnauthorized: !insecure, ...(ca !== undefined && { ca }) });
  const apiVersion = `apiextensions.k8s.io/${options.reviewVersion}` as const;
  return {
    description: `the webhook ${text}`,
    isInProcess: false,
    convert: async (objects, desiredApiVersion) => {
      const uid = randomUUID();
      const json = objects.map((object) => encodeJson(object as unknown as JsonValue));
      const body = encodeReview({ uid, apiVersion, desiredApiVersion, objects: json }).join('');
      const answer = await post(url, agent, body, options.timeout);
      const read = readReview(answer, { uid, apiVersion, count: objects.length });
      return 'objects' in read ? read : { failure: read.text.replace(/^failed: /, '') };
    },
    close: () => agent.destroy(),
  };
}

function post(
  url: URL,
  agent: HttpAgent | HttpsAgent,
  body: string,
  timeout: number,
): Promise<WebhookAnswer> {
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      agent,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    };
    const onResponse = (response: IncomingMessage): void => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          contentType: response.headers['content-type'] ?? '',
          body: Buffer.concat(chunks).toString(),
        }),
      );
    };
    const asked: ClientRequest =
      url.protocol === 'http:'
        ? requestHttp(url, options, onResponse)
        : requestHttps(url, options, onResponse);
    asked.setTimeout(timeout, () => asked.destroy(new Error(`no answer within ${timeout} ms`)));
    asked.once('error', reject);
    asked.end(body);
  });
}
