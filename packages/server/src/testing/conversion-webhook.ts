// A conversion webhook on loopback over real TLS, whose answers tests script, and that can be stopped and
// started again at the same place.
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import { createCa, createLeaf } from '@instar/serving';
import { freePort } from '@instar/store/testing';
import { bodyOf } from './body-of.ts';

export interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: ReviewedObject[];
  };
}

export interface ReviewedObject {
  readonly apiVersion: string;
  readonly metadata: { readonly name: string };
  readonly spec?: Readonly<Record<string, unknown>>;
}

export type Convert = (object: ReviewedObject, desired: string) => unknown;

/** v1 has spec.cronSpec where v2 has spec.schedule. */
export const convertCronTab: Convert = (object, apiVersion) => {
  const { cronSpec, schedule, ...spec } = object.spec ?? {};
  const time = cronSpec ?? schedule;
  return {
    ...object,
    apiVersion,
    spec: { ...spec, [apiVersion.endsWith('/v2') ? 'schedule' : 'cronSpec']: time },
  };
};

export const answering =
  (convert: Convert) =>
  ({ apiVersion, kind, request: { uid, objects, desiredAPIVersion } }: Review): unknown => {
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

export class ConversionWebhook {
  readonly reviews: Review[] = [];
  answer: (review: Review) => unknown = answering(convertCronTab);
  readonly caBundle: string;
  readonly #tls: { key: string; cert: string };
  /**
   * Also those that are still greeting each other, which Node does not count as connections of the server.
   */
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  constructor(hosts: readonly string[] = ['127.0.0.1']) {
    const ca = { ...createCa('webhook-ca', 1), commonName: 'webhook-ca' };
    const leaf = createLeaf(ca, { subject: { commonName: 'webhook' }, usage: 'server', hosts, days: 1 });
    this.caBundle = Buffer.from(ca.certificate).toString('base64');
    this.#tls = { key: leaf.key, cert: leaf.certificate };
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}/convert`;
  }

  get calls(): number {
    return this.reviews.length;
  }

  async start(): Promise<void> {
    if (this.#server !== undefined) throw new Error('this webhook is running');
    const server = createServer(this.#tls, async (request, response) => {
      const text = await bodyOf(request);
      if (text === undefined) return;
      const review = JSON.parse(text) as Review;
      this.reviews.push(review);
      const reply = await this.answer(review);
      response.setHeader('content-type', 'application/json');
      response.end(typeof reply === 'string' ? reply : JSON.stringify(reply));
    });
    server.on('connection', (socket: Socket) =>
      this.#sockets.add(socket.once('close', () => this.#sockets.delete(socket))),
    );
    this.#server = server;
    this.#port ||= await freePort();
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(this.#port, '127.0.0.1', resolve),
    );
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
