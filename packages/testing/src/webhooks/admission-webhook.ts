// An admission webhook on loopback over real TLS, with verdicts that tests set.
import { ReviewServer } from './review-server.ts';

export interface AdmissionCall {
  readonly url: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into reviews of every kind
  readonly review: any;
}

/** The verdict of the webhook; a patch is a list of operations. */
export interface AdmissionDecision {
  readonly allowed: boolean;
  readonly message?: string;
  readonly patch?: readonly object[];
  readonly warnings?: readonly string[];
}

/** An admission webhook over TLS that records its calls. */
export class AdmissionWebhook {
  readonly calls: AdmissionCall[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into requests of every kind
  decide: (request: any) => AdmissionDecision | Promise<AdmissionDecision> = () => ({ allowed: true });
  readonly #server: ReviewServer;

  constructor(hosts?: readonly string[]) {
    this.#server = new ReviewServer(async (body, url) => {
      const review = body as AdmissionCall['review'];
      this.calls.push({ url, review });
      return answerTo(review, await this.decide(review.request));
    }, hosts);
  }

  get caBundle(): string {
    return this.#server.caBundle;
  }

  get port(): number {
    return this.#server.port;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  /** The calls since the last `take`. */
  take(): AdmissionCall[] {
    return this.calls.splice(0);
  }

  async start(): Promise<this> {
    await this.#server.start();
    return this;
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}

function answerTo(
  review: AdmissionCall['review'],
  { allowed, message, patch, warnings }: AdmissionDecision,
): object {
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
