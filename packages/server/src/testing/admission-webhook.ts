// An admission webhook on loopback over real TLS, whose verdicts tests script.
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createCa, createLeaf } from '@instar/serving';
import { bodyOf } from './body-of.ts';

export interface AdmissionCall {
  readonly url: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into reviews of every kind
  readonly review: any;
}

/** What the webhook says of a request; a patch is a list of operations. */
export interface Said {
  readonly allowed: boolean;
  readonly message?: string;
  readonly patch?: readonly object[];
  readonly warnings?: readonly string[];
}

export class AdmissionWebhook {
  readonly calls: AdmissionCall[] = [];
  readonly caBundle: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into requests of every kind
  decide: (request: any) => Said | Promise<Said> = () => ({ allowed: true });
  readonly #server: Server;

  constructor(hosts: readonly string[] = ['127.0.0.1']) {
    const ca = { ...createCa('admission-ca', 1), commonName: 'admission-ca' };
    const leaf = createLeaf(ca, { subject: { commonName: 'webhook' }, usage: 'server', hosts, days: 1 });
    this.caBundle = Buffer.from(ca.certificate).toString('base64');
    this.#server = createServer({ key: leaf.key, cert: leaf.certificate }, async (request, response) => {
      const text = await bodyOf(request);
      if (text === undefined) return;
      const review = JSON.parse(text);
      this.calls.push({ url: request.url ?? '', review });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answerTo(review, await this.decide(review.request))));
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  /** What was asked since this was last called. */
  take(): AdmissionCall[] {
    return this.calls.splice(0);
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function answerTo(review: AdmissionCall['review'], { allowed, message, patch, warnings }: Said): object {
  const response = {
    uid: review.request.uid,
    allowed,
    ...(message !== undefined && { status: { message } }),
    ...(patch !== undefined && {
      patchType: 'JSONPatch',
      patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
    }),
    ...(warnings !== undefined && { warnings }),
  };
  return { apiVersion: review.apiVersion, kind: 'AdmissionReview', response };
}
