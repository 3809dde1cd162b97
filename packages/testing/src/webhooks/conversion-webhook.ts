// A conversion webhook on loopback over real TLS, with answers that tests set. It can be stopped and started
// again at the same address.
import { ReviewServer } from './review-server.ts';

/** A ConversionReview as the webhook receives it. */
export interface ConversionReviewBody {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: ReviewedObject[];
  };
}

interface ReviewedObject {
  readonly apiVersion: string;
  readonly metadata: { readonly name: string };
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** Converts one object to a version. */
export type ConvertObject = (object: ReviewedObject, desired: string) => unknown;

/** v1 has spec.cronSpec where v2 has spec.schedule. */
export const convertCronTab: ConvertObject = (object, apiVersion) => {
  const { cronSpec, schedule, ...spec } = object.spec ?? {};
  const time = cronSpec ?? schedule;
  return {
    ...object,
    apiVersion,
    spec: { ...spec, [apiVersion.endsWith('/v2') ? 'schedule' : 'cronSpec']: time },
  };
};

/** Answers reviews by converting one object after the other. */
export const answering =
  (convert: ConvertObject) =>
  ({ apiVersion, kind, request: { uid, objects, desiredAPIVersion } }: ConversionReviewBody): unknown => {
    const response = (rest: object) => ({ apiVersion, kind, response: { uid, ...rest } });
    try {
      return response({
        convertedObjects: objects.map((object) => convert(object, desiredAPIVersion)),
        result: { status: 'Success' },
      });
    } catch (error) {
      return response({
        convertedObjects: [],
        result: { status: 'Failure', message: (error as Error).message },
      });
    }
  };

/** A conversion webhook over TLS that records its reviews. */
export class ConversionWebhook {
  readonly reviews: ConversionReviewBody[] = [];
  answer: (review: ConversionReviewBody) => unknown = answering(convertCronTab);
  readonly #server: ReviewServer;

  constructor(hosts?: readonly string[]) {
    this.#server = new ReviewServer((review) => {
      this.reviews.push(review as ConversionReviewBody);
      return this.answer(review as ConversionReviewBody);
    }, hosts);
  }

  get caBundle(): string {
    return this.#server.caBundle;
  }

  get port(): number {
    return this.#server.port;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}/convert`;
  }

  get calls(): number {
    return this.reviews.length;
  }

  start(): Promise<void> {
    return this.#server.start();
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}
