// Clients of admission webhooks: one for each webhook that has been called, until its configuration changes
// or is deleted.
import { CallFailure, type CompiledWebhook, type ReviewRequest } from '@instar/admission';
import { CallError, httpErrorText, parseReview, type WebhookAnswer } from '@instar/convert';
import type { JsonValue } from '@instar/machinery';
import type { WebhookClient, WebhookClients } from '../webhooks/webhook-clients.ts';

export class WebhookConnections {
  readonly #clients: WebhookClients;
  readonly #open = new Map<CompiledWebhook, WebhookClient>();

  constructor(clients: WebhookClients) {
    this.#clients = clients;
  }

  /** The answer as parsed JSON. Throws CallFailure. */
  async call(webhook: CompiledWebhook, request: ReviewRequest): Promise<JsonValue> {
    const answer = await post(this.#clientOf(webhook), request);
    try {
      return reviewOf(answer);
    } finally {
      answer.release?.();
    }
  }

  /** Releases the clients of all other webhooks. */
  keepOnly(webhooks: ReadonlySet<CompiledWebhook>): void {
    for (const [webhook, client] of this.#open) {
      if (webhooks.has(webhook)) continue;
      client.release();
      this.#open.delete(webhook);
    }
  }

  #clientOf(webhook: CompiledWebhook): WebhookClient {
    let client = this.#open.get(webhook);
    if (client === undefined) {
      if (!hasCertificates(webhook.clientConfig.caBundle)) throw new CallFailure(NO_CERTIFICATES, 500);
      client = this.#clients.open(webhook.clientConfig);
      this.#open.set(webhook, client);
    }
    return client;
  }
}

const NO_CERTIFICATES =
  'could not get REST client: unable to load root certificates: unable to parse bytes as PEM block';

/** Without a bundle, the certificates of the system are trusted. */
function hasCertificates(caBundle = ''): boolean {
  return caBundle === '' || Buffer.from(caBundle, 'base64').includes('-----BEGIN CERTIFICATE-----');
}

const failed = (why: string): CallFailure => new CallFailure(`failed to call webhook: ${why}`);

function reviewOf(answer: WebhookAnswer): JsonValue {
  const refused = httpErrorText(answer);
  if (refused !== undefined) throw new CallFailure(`failed to call webhook: ${refused}`, answer.status);
  const text = answer.body;
  if (text === '')
    throw failed(
      `0-length response with status code: ${answer.status} and content type: ${answer.contentType}`,
    );
  const parsed = parseReview(text);
  if ('fault' in parsed) throw failed(parsed.fault);
  return parsed.value;
}

/** Upstream limits admission calls by a context; Go's client reports its deadline without this text. */
const CLIENT_TIMEOUT = ' (Client.Timeout exceeded while awaiting headers)';

async function post(client: WebhookClient, request: ReviewRequest): Promise<WebhookAnswer> {
  try {
    return await client.post(request);
  } catch (error) {
    throw error instanceof CallError ? failed(error.message.replace(CLIENT_TIMEOUT, '')) : error;
  }
}
