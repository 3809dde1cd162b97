// The options of a host of webhooks, and its interface when it runs.
import type { KubeApi } from '@instar/client';
import type { Log, MetricsRegistry } from '@instar/serving';
import type { Webhook } from './review/webhook.ts';

/** Options of a host. */
export interface HostOptions {
  /** By path: `{ '/validate': admission(fn), '/convert': conversion(definition) }`. */
  readonly webhooks: Readonly<Record<string, Webhook>>;
  /** Default: port 9443 of every address. Port 0 picks a free one. */
  readonly listen?: { readonly host?: string; readonly port?: number };
  readonly tls: FilesTls | { readonly selfManaged: SelfManagedTls };
  /**
   * The CAs of the client certificates that are required on the paths of webhooks. Default: none are
   * requested. Health and metrics never require one.
   */
  readonly clientCaFile?: string;
  readonly limits?: Partial<HostLimits>;
  readonly log?: Log;
  /** Default: a registry of the host's own, with process metrics. */
  readonly metrics?: MetricsRegistry;
}

/** Reloaded when they change. */
export interface FilesTls {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A CA and a serving certificate that the kit makes and renews itself. */
export interface SelfManagedTls {
  /** The Service that API servers call: the certificate is for its names. */
  readonly service?: { readonly name: string; readonly namespace: string };
  /** Additional names and addresses. localhost is always included. */
  readonly hosts?: readonly string[];
  /** Where they are stored. Replicas share a Secret. Default: in memory; they are new at every start. */
  readonly store?:
    | { readonly directory: string }
    | { readonly secret: { readonly name: string; readonly namespace: string } };
  /** Objects to write the CA into, so that API servers trust the certificate. */
  readonly inject?: readonly InjectionTarget[];
  /** Required for a Secret and for `inject`. */
  readonly client?: CertificateApi;
  readonly lifetimes?: Partial<Lifetimes>;
}

/** All webhooks of a configuration, or those that are named. */
export type InjectionTarget =
  | { readonly validatingWebhookConfiguration: string; readonly webhooks?: readonly string[] }
  | { readonly mutatingWebhookConfiguration: string; readonly webhooks?: readonly string[] }
  | { readonly customResourceDefinition: string };

/** The client that the kit needs; the KubeClient of @instar/client is one. */
export type CertificateApi = Pick<KubeApi, 'get' | 'create' | 'patch'>;

/** How long the certificates that a host creates are valid. */
export interface Lifetimes {
  readonly caDays: number;
  readonly servingDays: number;
  /** How long a new CA is trusted before it signs, and an old one after it signed last. */
  readonly overlapSeconds: number;
  /** How often the store, the certificates and the caBundles are checked. */
  readonly checkSeconds: number;
}

/** Limits of a host. */
export interface HostLimits {
  /** Larger bodies are answered with 413. */
  readonly maxAdmissionBytes: number;
  readonly maxConversionBytes: number;
  /** Reviews in flight, and the bytes of their bodies; beyond either, 429 with Retry-After. */
  readonly maxInFlight: number;
  readonly maxBytesInFlight: number;
  /** For callers that send no timeout. */
  readonly defaultTimeoutMs: number;
  /** How long `close` waits for reviews in flight. */
  readonly shutdownMs: number;
  /**
   * How long `close` continues to serve after it reports not ready, so that callers can switch to another
   * replica first.
   */
  readonly lameDuckMs: number;
}

/** A host that is running. */
export interface WebhookHost {
  /** `https://ADDRESS:PORT`. */
  readonly url: string;
  readonly port: number;
  /** PEM that callers must trust. The certificate itself if it comes from files. */
  readonly caBundle: string;
  readonly metrics: MetricsRegistry;
  /** First reports not ready, then finishes the reviews in flight, then closes connections. */
  close(): Promise<void>;
}
