// How a host of webhooks is set up, and what it offers when it runs.
import type { KubeApi } from '@instar/client';
import type { Log, MetricsRegistry } from '@instar/serving';
import type { Webhook } from './review/webhook.ts';

export interface HostOptions {
  /** By path: `{ '/validate': admission(fn), '/convert': conversion(definition) }`. */
  readonly webhooks: Readonly<Record<string, Webhook>>;
  /** Default: port 9443 of every address. Port 0 picks a free one. */
  readonly listen?: { readonly host?: string; readonly port?: number };
  readonly tls: FilesTls | { readonly selfManaged: SelfManagedTls };
  /**
   * Certificates that clients must show on the paths of webhooks. Default: none is asked for. Health and
   * metrics never need one.
   */
  readonly clientCaFile?: string;
  readonly limits?: Partial<HostLimits>;
  readonly log?: Log;
  /** To have the figures in a registry of your own. */
  readonly metrics?: MetricsRegistry;
}

/** Read again when they change. */
export interface FilesTls {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A CA and a serving certificate that the kit makes and renews itself. */
export interface SelfManagedTls {
  /** The Service that API servers call: the certificate is for its names. */
  readonly service?: { readonly name: string; readonly namespace: string };
  /** More names and addresses. localhost is always among them. */
  readonly hosts?: readonly string[];
  /**
   * Where they are kept. A Secret is what several replicas agree on. Default: nowhere; they are new at every
   * start.
   */
  readonly store?:
    | { readonly directory: string }
    | { readonly secret: { readonly name: string; readonly namespace: string } };
  /** Where the CA is written to, so that API servers trust the certificate. */
  readonly inject?: readonly InjectionTarget[];
  /** Needed for a Secret and for `inject`. */
  readonly client?: CertificateApi;
  readonly lifetimes?: Partial<Lifetimes>;
}

/** All webhooks of a configuration, or those that are named. */
export type InjectionTarget =
  | { readonly validatingWebhookConfiguration: string; readonly webhooks?: readonly string[] }
  | { readonly mutatingWebhookConfiguration: string; readonly webhooks?: readonly string[] }
  | { readonly customResourceDefinition: string };

/** What the kit asks of a client; the KubeClient of @instar/client is one. */
export type CertificateApi = Pick<KubeApi, 'get' | 'create' | 'patch'>;

export interface Lifetimes {
  readonly caDays: number;
  readonly servingDays: number;
  /** How long a new CA is trusted before it signs, and an old one after it signed last. */
  readonly overlapSeconds: number;
  /** How often store, certificates and caBundles are looked at. */
  readonly checkSeconds: number;
}

export interface HostLimits {
  /** Bodies beyond are answered with 413. */
  readonly maxAdmissionBytes: number;
  readonly maxConversionBytes: number;
  /** Reviews under way at once, and the bytes of their bodies; beyond, 429 and Retry-After. */
  readonly maxInFlight: number;
  readonly maxBytesInFlight: number;
  /** For callers that do not say how long they wait. */
  readonly defaultTimeoutMs: number;
  /** How long `close` waits for reviews under way. */
  readonly shutdownMs: number;
  /**
   * How long `close` goes on serving after it has begun to report not ready, so that callers go elsewhere
   * first.
   */
  readonly lameDuckMs: number;
}

export interface WebhookHost {
  /** `https://ADDRESS:PORT`. */
  readonly url: string;
  readonly port: number;
  /** PEM: what callers must trust now. The certificate itself when it comes from files. */
  readonly caBundle: string;
  readonly metrics: MetricsRegistry;
  /** Readiness goes first, then reviews under way are finished, then connections are closed. */
  close(): Promise<void>;
}
