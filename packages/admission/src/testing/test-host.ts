// A host without a server: webhooks are functions, conversion changes the version only, and everything
// reported is recorded.
import {
  apiErrors,
  asJson,
  asKubeObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  parseJson,
} from '@instar/machinery';
import type { AdmissionHost } from '../host.ts';
import type { ObservedCheck, ObservedConditions, ObservedMutation, ObservedWebhook } from '../observer.ts';
import { Reinvocation } from '../reinvocation.ts';
import type { AdmissionSubject, ResourceMapping } from '../subject.ts';
import { CallFailure } from '../webhook/failures.ts';
import { mutate as mutateRound } from '../webhook/mutate.ts';
import { compileWebhook, type WebhookSource } from '../webhook/webhook.ts';
import { WebhookSet } from '../webhook/webhook-set.ts';

export interface SentReview {
  readonly apiVersion: string;
  readonly request: JsonObject & {
    readonly uid: string;
    readonly object: JsonObject | null;
    readonly oldObject: JsonObject | null;
  };
}

export type ScriptedAnswer = (review: SentReview) => JsonObject | Promise<JsonObject>;

export class TestHost implements AdmissionHost {
  readonly called: string[] = [];
  readonly reviews: SentReview[] = [];
  readonly warnings: string[] = [];
  readonly annotations = new Map<string, string>();
  readonly webhooks: ObservedWebhook[] = [];
  readonly conditions: ObservedConditions[] = [];
  readonly checks: ObservedCheck[] = [];
  readonly mutations: ObservedMutation[] = [];
  readonly conversions: string[] = [];
  readonly namespaces = new Map<string, Record<string, string>>([['default', { team: 'red' }]]);
  readonly answers: ReadonlyMap<string, ScriptedAnswer>;
  readonly observer = {
    webhook: (observed: ObservedWebhook) => this.webhooks.push(observed),
    conditions: (observed: ObservedConditions) => this.conditions.push(observed),
    check: (observed: ObservedCheck) => this.checks.push(observed),
    mutation: (observed: ObservedMutation) => this.mutations.push(observed),
  };
  readonly namespaceLabels = async (name: string): Promise<Record<string, string>> => {
    const labels = this.namespaces.get(name);
    if (labels === undefined) throw apiErrors.notFound({ group: '', resource: 'namespaces' }, name);
    return labels;
  };
  gone = false;
  auditsBodies = false;
  readonly authorize = () => ({ allowed: true, reason: '' });
  #uids = 0;

  constructor(answers: Readonly<Record<string, ScriptedAnswer>> = {}) {
    this.answers = new Map(Object.entries(answers));
  }

  async convert(object: KubeObject, apiVersion: string): Promise<KubeObject> {
    this.conversions.push(`${object.apiVersion} to ${apiVersion}`);
    return { ...object, apiVersion };
  }

  interpret(patched: JsonValue): KubeObject {
    return asKubeObject(patched);
  }

  /** Not the merge of the server: fields of the first two levels. */
  applyConfiguration(object: KubeObject, configuration: JsonObject): JsonObject {
    const merged: JsonObject = { ...asJson(object) };
    for (const [name, value] of Object.entries(configuration))
      merged[name] =
        isJsonObject(value) && isJsonObject(merged[name])
          ? { ...(merged[name] as JsonObject), ...value }
          : value;
    return merged;
  }

  async call(
    { name }: { readonly name: string },
    { pieces }: { readonly pieces: readonly (string | Uint8Array)[] },
  ): Promise<JsonValue> {
    const review = parseJson(pieces.map(textOf).join('')).value as unknown as SentReview;
    this.called.push(name);
    this.reviews.push(review);
    const answer = this.answers.get(name);
    if (answer === undefined) throw new CallFailure('failed to call webhook: nobody is there');
    return {
      apiVersion: review.apiVersion,
      kind: 'AdmissionReview',
      response: { uid: review.request.uid, ...(await answer(review)) },
    };
  }

  warn(text: string): void {
    this.warnings.push(text);
  }

  annotate(key: string, value: string): void {
    this.annotations.set(key, value);
  }

  newUid(): string {
    return `uid-${++this.#uids}`;
  }

  now(): number {
    return 0;
  }

  isAborted(): boolean {
    return this.gone;
  }
}

const textOf = (piece: string | Uint8Array): string =>
  typeof piece === 'string' ? piece : Buffer.from(piece).toString('utf8');

export const allow: ScriptedAnswer = () => ({ allowed: true });
export const deny =
  (message: string): ScriptedAnswer =>
  () => ({ allowed: false, status: { message } });
export const patch =
  (...operations: object[]): ScriptedAnswer =>
  () => ({
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
  });

const GROUP = 'g.example.com';
export const mappingFor = (version: string): ResourceMapping => ({
  resource: { group: GROUP, version, resource: 'crontabs' },
  kind: { group: GROUP, version, kind: 'CronTab' },
});

export function subject(change: Partial<AdmissionSubject> = {}): AdmissionSubject {
  return {
    ...mappingFor('v1'),
    operation: 'CREATE',
    subresource: '',
    namespace: 'default',
    name: 'a',
    user: { name: 'jane', uid: '', groups: ['system:authenticated'], extra: {} },
    dryRun: false,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
    old: undefined,
    equivalents: [mappingFor('v2')],
    ...change,
  };
}

export const cronTab = (spec: JsonObject = {}, labels?: Record<string, string>): KubeObject => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'CronTab',
  metadata: { name: 'a', namespace: 'default', ...(labels && { labels }) },
  spec,
});

export function webhookSet(...webhooks: Partial<WebhookSource>[]): WebhookSet {
  return new WebhookSet(
    webhooks.map((webhook, index) =>
      compileWebhook('configuration', index, {
        name: `w${index}`,
        clientConfig: { url: 'https://hook.example.com' },
        rules: [{ operations: ['*'], apiGroups: [GROUP], apiVersions: ['*'], resources: ['crontabs'] }],
        namespaceSelector: {},
        objectSelector: {},
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...webhook,
      }),
    ),
  );
}

/** Both rounds, as the chain of the server runs them. */
export async function mutate(
  webhooks: WebhookSet,
  about: AdmissionSubject,
  object: KubeObject | undefined,
  host: AdmissionHost,
): Promise<KubeObject | undefined> {
  const reinvocation = new Reinvocation();
  const first = await mutateRound(webhooks, about, object, host, reinvocation);
  return reinvocation.startSecondRound() ? mutateRound(webhooks, about, first, host, reinvocation) : first;
}
