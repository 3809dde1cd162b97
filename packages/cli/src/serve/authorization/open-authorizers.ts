// From settings to authorizers: connects those that are webhooks.
import { KubeClient, readClusterAccess } from '@instar/client';
import type { AuthorizationMode, WebhookAuthorization } from '@instar/server';
import type { AuthorizerSettings, WebhookSettings } from './modes.ts';

/** An answer is a SubjectAccessReview. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** Each attempt may take the timeout, and a client waits meanwhile. */
const MAX_RETRIES = 2;

export function openAuthorizers(all: readonly AuthorizerSettings[]): Promise<AuthorizationMode[]> {
  return Promise.all(all.map(async (one) => (one.type === 'Webhook' ? openWebhook(one) : one.type)));
}

async function openWebhook(settings: WebhookSettings): Promise<WebhookAuthorization> {
  const { kubeconfigFile, version, authorizedTtlMs, unauthorizedTtlMs, failurePolicy, timeoutMs } = settings;
  const send = await reviewSender(kubeconfigFile, timeoutMs);
  return { version, authorizedTtlMs, unauthorizedTtlMs, failurePolicy, send };
}

/** Sends reviews to the server that a kubeconfig names. */
export async function reviewSender(
  kubeconfigFile: string | undefined,
  timeoutMs: number,
): Promise<(review: object) => Promise<unknown>> {
  // Without a file, only the service account of a pod may be used, not the kubeconfig of the user.
  const access = await readClusterAccess(
    kubeconfigFile === undefined
      ? { env: withoutKubeconfig(), home: '/nonexistent' }
      : { kubeconfig: kubeconfigFile },
  );
  const client = new KubeClient(access, {
    timeoutMs,
    maxRetries: MAX_RETRIES,
    maxBodyBytes: MAX_ANSWER_BYTES,
  });
  return async (review) => {
    const { body } = await client.request({
      method: 'POST',
      path: '',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(review),
    });
    return JSON.parse(new TextDecoder().decode(body));
  };
}

function withoutKubeconfig(): Record<string, string | undefined> {
  const { KUBECONFIG: _, ...env } = process.env;
  return env;
}
