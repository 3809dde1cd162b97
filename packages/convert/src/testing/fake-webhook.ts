// A conversion webhook without a network, whose answers tests script, and objects for it.
import type { JsonObject, KubeObject } from '@instar/machinery';
import type { ConversionOutcome, ConvertOptions } from '../converter.ts';
import { DEFAULT_SETTINGS, type WebhookSettings } from '../settings.ts';
import { sourceOf } from '../source.ts';
import type { WebhookAnswer, WebhookRequest } from '../webhook-call.ts';
import { type ObservedCall, WebhookConverter } from '../webhook-converter.ts';

const GROUP = 'stable.example.com';
export const V1 = `${GROUP}/v1`;
export const V2 = `${GROUP}/v2`;

export function cronTab(name: string, rest: Partial<KubeObject> = {}): KubeObject {
  return {
    apiVersion: V1,
    kind: 'CronTab',
    metadata: { name, namespace: 'ns', uid: `uid-of-${name}` },
    spec: { cronSpec: '* * * * *' },
    ...rest,
  };
}

interface Review {
  apiVersion: string;
  kind: string;
  request: { uid: string; desiredAPIVersion: string; objects: JsonObject[] };
  response?: unknown;
}

export type ScriptedAnswer = (review: Review) => unknown;

export const good: ScriptedAnswer = ({ apiVersion, kind, request: { uid, objects, desiredAPIVersion } }) => ({
  apiVersion,
  kind,
  response: {
    uid,
    convertedObjects: objects.map((o) => ({ ...o, apiVersion: desiredAPIVersion })),
    result: { status: 'Success' },
  },
});

export const refusing: ScriptedAnswer = ({ apiVersion, kind, request: { uid } }) => ({
  apiVersion,
  kind,
  response: { uid, convertedObjects: [], result: { status: 'Failure', message: 'no' } },
});

export interface FakeOptions {
  readonly settings?: Partial<WebhookSettings>;
  readonly reviewVersion?: 'apiextensions.k8s.io/v1' | 'apiextensions.k8s.io/v1beta1' | undefined;
}

/** `answer` may also return a WebhookAnswer (it has a numeric `status`), or throw a CallError. */
export function fakeWebhook(answer: ScriptedAnswer, options: FakeOptions = {}) {
  const reviews: Review[] = [];
  const observed: ObservedCall[] = [];
  const clock = { now: 0 };
  const state = { answer, spared: 0 };
  let atOnce = 0;
  let most = 0;
  const call = async ({ pieces }: WebhookRequest): Promise<WebhookAnswer> => {
    const decoder = new TextDecoder();
    const review = JSON.parse(
      pieces.map((piece) => (typeof piece === 'string' ? piece : decoder.decode(piece))).join(''),
    ) as Review;
    reviews.push(review);
    most = Math.max(most, ++atOnce);
    await new Promise((resume) => setImmediate(resume));
    atOnce--;
    const reply = state.answer(review) as { status?: unknown };
    if (typeof reply?.status === 'number') return reply as unknown as WebhookAnswer;
    return { status: 200, contentType: 'application/json', body: JSON.stringify(reply) };
  };
  let uids = 0;
  const converter = new WebhookConverter({
    reviewVersion: 'reviewVersion' in options ? options.reviewVersion : 'apiextensions.k8s.io/v1',
    settings: { ...DEFAULT_SETTINGS, ...options.settings },
    call,
    endpoint: 'https://hook.example.com/convert',
    newUid: () => `review-${uids++}`,
    now: () => clock.now,
    observer: { called: (one) => observed.push(one), shortCircuited: () => state.spared++ },
  });
  const convert = async (
    objects: readonly KubeObject[],
    to = V2,
    options: ConvertOptions = {},
  ): Promise<ConversionOutcome[]> => {
    const outcomes: ConversionOutcome[] = [];
    const settle = (index: number, outcome: ConversionOutcome): void => {
      outcomes[index] = outcome;
    };
    await converter.convert(objects.map(sourceOf), to, settle, options);
    return outcomes;
  };
  return { convert, reviews, observed, clock, state, mostAtOnce: () => most };
}
