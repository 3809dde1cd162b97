// The converters of custom resources: made when a definition is served, reused while its conversion settings
// do not change, and released with it.
import { randomUUID } from 'node:crypto';
import {
  type ConversionObserver,
  type Converter,
  converterFor,
  LensConverter,
  type ObservedCall,
} from '@instar/convert';
import type { CustomResourceDefinition } from '@instar/crd';
import { type LensSet, parseLens } from '@instar/lens';
import { encodeJson } from '@instar/machinery';
import { WEBHOOK_CONVERSION } from '../../api/feature-gates.ts';
import type { ConversionMetrics } from '../../api/metrics/conversion-metrics.ts';
import { digestOf } from '../definitions/digest.ts';
import { lensSchemas } from '../lenses/lens-schemas.ts';
import type { Lenses, StoredLens } from '../lenses/lenses.ts';
import type { WebhookClient, WebhookClients } from '../webhooks/webhook-clients.ts';

interface ConvertersOptions {
  readonly webhooksAllowed?: boolean;
  readonly lenses?: Pick<Lenses, 'for'>;
}

interface CachedConverter {
  /** Of the settings that it was made from. */
  readonly revision: string;
  readonly converter: Converter;
  readonly client: WebhookClient | undefined;
}

export class Converters {
  readonly #clients: WebhookClients;
  readonly #metrics: ConversionMetrics;
  readonly #webhooksAllowed: boolean;
  readonly #lenses: Pick<Lenses, 'for'> | undefined;
  readonly #cached = new Map<string, CachedConverter>();

  constructor(clients: WebhookClients, metrics: ConversionMetrics, options: ConvertersOptions = {}) {
    this.#clients = clients;
    this.#metrics = metrics;
    this.#webhooksAllowed = options.webhooksAllowed ?? true;
    this.#lenses = options.lenses;
  }

  /** Why objects of this definition cannot be served, if so: without its webhook they cannot be converted. */
  unavailable({ metadata, spec }: CustomResourceDefinition): string | undefined {
    if (this.#webhooksAllowed || spec.conversion?.strategy !== 'Webhook') return undefined;
    return `webhook conversion is disabled on this server, and ${metadata.name} asks for it: its objects are kept, and are served again with --feature-gates=${WEBHOOK_CONVERSION}=true`;
  }

  /** The same converter as before, unless the definition's conversion settings have changed. */
  for(crd: CustomResourceDefinition): Converter {
    const name = crd.metadata.name!;
    const revision = this.revision(crd);
    const cached = this.#cached.get(name);
    if (cached?.revision === revision) return cached.converter;
    const made = this.#make(crd);
    this.#cached.set(name, { revision, ...made });
    cached?.client?.release();
    return made.converter;
  }

  /** A converter for settings that are not in effect; the caller must release it. */
  trial(crd: CustomResourceDefinition): { readonly converter: Converter; release(): void } {
    const { converter, client } = this.#make(crd);
    return { converter, release: () => client?.release() };
  }

  #make(crd: CustomResourceDefinition): Pick<CachedConverter, 'converter' | 'client'> {
    const stored = this.#lensOf(crd);
    if (stored !== undefined)
      return { converter: new LensConverter(lensFor(crd, stored)), client: undefined };
    let client: WebhookClient | undefined;
    const converter = converterFor(crd, () => {
      client = this.#clients.open(crd.spec.conversion?.webhook?.clientConfig ?? {});
      const { endpoint, post } = client;
      const observer = this.#observer(crd.metadata.name!, endpoint);
      return { call: post, endpoint, newUid: randomUUID, now: () => performance.now(), observer };
    });
    return { converter, client };
  }

  /** Changes with everything that determines how objects are converted. */
  revision(crd: CustomResourceDefinition): string {
    const { spec, metadata } = crd;
    const settings = Object.entries(metadata.annotations ?? {}).filter(([key]) =>
      key.startsWith('conversion.instar.dev/'),
    );
    const lens = this.#lensOf(crd);
    const ofLens = lens === undefined ? null : [lens.revision, digestOf(spec.versions)];
    return encodeJson([spec.conversion ?? null, settings.sort(), ofLens]);
  }

  /** The revision of the lens that converts, which no change of the definition shows. */
  lensRevision(crd: CustomResourceDefinition): StoredLens['revision'] | undefined {
    return this.#lensOf(crd)?.revision;
  }

  /** A definition with several versions and no webhook may have a lens. */
  #lensOf({ spec, metadata }: CustomResourceDefinition): StoredLens | undefined {
    if (spec.conversion?.strategy === 'Webhook') return undefined;
    const [first] = this.#lenses?.for(metadata.name!) ?? [];
    return first?.lens === undefined ? undefined : first;
  }

  release(name: string): void {
    this.#cached.get(name)?.client?.release();
    this.#cached.delete(name);
  }

  #observer(crd: string, webhook: string): ConversionObserver {
    const called = (call: ObservedCall): void => observe(this.#metrics, crd, webhook, call);
    return { called, shortCircuited: () => this.#metrics.shortCircuited.with(webhook, crd).value++ };
  }
}

/** Parsed with the list keys of the schemas. */
const lensFor = (crd: CustomResourceDefinition, { document, lens }: StoredLens): LensSet =>
  parseLens(document, { schemas: lensSchemas(crd) }).lens ?? lens!;

const versionOf = (apiVersion: string): string => apiVersion.slice(apiVersion.indexOf('/') + 1);

function observe(metrics: ConversionMetrics, crd: string, webhook: string, call: ObservedCall): void {
  const { fromApiVersion, toApiVersion, objects, milliseconds, fault } = call;
  const seconds = milliseconds / 1000;
  const result = fault === undefined ? 'success' : 'failure';
  const type = fault?.upstreamType ?? '';
  metrics.crdDuration
    .with(crd, versionOf(fromApiVersion), versionOf(toApiVersion), String(fault === undefined))
    .observe(seconds);
  metrics.requests.with(result, type).value++;
  metrics.duration.with(result, type).observe(seconds);
  metrics.webhookDuration.with(webhook, crd).observe(seconds);
  if (fault === undefined) metrics.objects.with(crd).value += objects;
  else metrics.failures.with(webhook, crd, fault.kind).value++;
  if (fault?.kind === 'timeout') metrics.timeouts.with(webhook, crd).value++;
}
