// All options of a server, with their defaults. Both the flags of the command and the options of embedders
// become these.

import type { JsonValue } from '@instar/machinery';
import { type Log, type NamedCertificateFiles, SILENT } from '@instar/serving';
import type { Store } from '@instar/store';
import type { Encryption } from '@instar/store/encryption';
import {
  DEFAULT_BIND_ADDRESS,
  DEFAULT_ETCD_PREFIX,
  DEFAULT_EVENT_TTL_SECONDS,
  DEFAULT_LIMITS,
} from '../wire/defaults/index.ts';
import type { AuditOptions } from './audit/options.ts';
import type { FrontProxyHeaders } from './auth/authentication/front-proxy.ts';
import type { TokenAuthenticator } from './auth/authentication/verdict.ts';
import type { WebhookAuthentication } from './auth/authentication/webhook-tokens.ts';
import type { KeyFiles } from './auth/service-accounts/key-ring.ts';
import type { WebhookAuthorization } from './auth/webhook-authorizer.ts';
import type { FeatureGates } from './feature-gates.ts';
import type { RuntimeConfig } from './runtime-config.ts';

interface Limits {
  /** Reads in flight; 0: no limit. With priority and fairness: added to that of writes. */
  readonly maxRequestsInflight: number;
  /** Writes in flight; 0: no limit. */
  readonly maxMutatingRequestsInflight: number;
  /** Open watches; 0: no limit. */
  readonly maxWatches: number;
  readonly maxBodyBytes: number;
  /** The longest that a request other than a watch may take. */
  readonly requestTimeoutMs: number;
  /** A watch without a timeout of its own lasts between this and twice this. */
  readonly minRequestTimeoutMs: number;
  /** How much may be pending for a slow watcher before it is disconnected. */
  readonly maxPendingWatchBytes: number;
  /** Memory for cached forms of objects in other versions than the one they are stored in. */
  readonly maxConvertedBytes: number;
  /** How long requests in flight may continue when the server shuts down. */
  readonly shutdownGraceMs: number;
}

/** How requests are authorized. */
export type AuthorizationMode = 'AlwaysAllow' | 'AlwaysDeny' | 'RBAC' | WebhookAuthorization;

/** The tokens of service accounts. */
interface ServiceAccountOptions extends KeyFiles {
  /** Who the tokens are of: the first issues them, all are accepted. */
  readonly issuers?: readonly string[];
  /** 3600 to 2^32; 0: what a request asks for, as far as the kind allows. */
  readonly maxTokenExpirationSeconds?: number;
  /** Tokens that pods get by default are valid for a year, although they ask for an hour. */
  readonly extendTokenExpiration?: boolean;
  /** Where others find the keys, if not at this server. */
  readonly jwksUri?: string;
}

/** That of kubeadm is longer, but this one resolves in every cluster. */
const DEFAULT_ISSUERS = ['https://kubernetes.default.svc'];

/** Reports new modes while the server runs; returns what ends that. */
export type FollowAuthorization = (on: {
  readonly replaced: (modes: readonly AuthorizationMode[]) => void;
  /** There is a new configuration, and it cannot be used. */
  readonly failed: () => void;
}) => () => void;

const DEFAULT_AUTHORIZATION_MODES: readonly AuthorizationMode[] = ['RBAC'];

/** Options of the API server. */
export interface ServerOptions {
  /** An open store, which the server takes over: it closes the store when it shuts down. */
  readonly storage: Store;
  /** Where certificates and the admin's token are kept. Without it, new ones are made and kept in memory. */
  /** How what is stored is encrypted; closed with the server. */
  readonly encryption?: Encryption;
  readonly dataDir?: string;
  readonly bindAddress?: string;
  /** 0: a free port. */
  readonly port?: number;
  /** Replaces the server's own certificate; read again when the files change. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
  readonly clientCaFile?: string;
  readonly tokenAuthFile?: string;
  /**
   * Signs client certificates that were approved (CertificateSigningRequests), instead of the server's own
   * CA. Clients that have them are accepted if `clientCaFile` contains the CA.
   */
  readonly clusterSigning?: { readonly certFile: string; readonly keyFile: string };
  /** The longest that signed client certificates are valid; a year. */
  readonly clusterSigningMs?: number;
  readonly serviceAccounts?: ServiceAccountOptions;
  /** Whom tokens must be meant for to be accepted; without it, the issuers of service accounts. */
  readonly apiAudiences?: readonly string[];
  /** The name under which others reach this server; without it, the address that it listens on. */
  readonly externalHostname?: string;
  /** Other sorts of tokens. Those that are accepted are for this server, and for no other audience. */
  readonly tokenAuthenticators?: readonly TokenAuthenticator[];
  /** Asked about tokens that nobody else knows. */
  readonly authenticationWebhook?: WebhookAuthentication;
  /** Whether bootstrap tokens, which are secrets in kube-system, are accepted. */
  readonly bootstrapTokenAuth?: boolean;
  /** A proxy that names users in headers, with certificates of this CA; read again when the file changes. */
  readonly frontProxy?: FrontProxyHeaders & { readonly clientCaFile: string };
  /** Further serving certificates, for names that clients ask for; read again when the files change. */
  readonly sniCertificates?: readonly NamedCertificateFiles[];
  readonly tlsMinVersion?: 'TLSv1.2' | 'TLSv1.3';
  /** In the form of OpenSSL. */
  readonly tlsCiphers?: string;
  /** The authorizers in the order in which they are asked. */
  readonly authorizationModes?: readonly AuthorizationMode[];
  /** Where other modes come from later. What is not a webhook must stay the same. */
  readonly followAuthorization?: FollowAuthorization;
  /**
   * Requests without a credential have a user, or those for some paths. Without it: unless AlwaysAllow is one
   * of the modes.
   */
  readonly anonymousAuth?: boolean | { readonly paths: readonly string[] };
  /** Which requests are recorded, and where. */
  readonly audit?: AuditOptions;
  readonly limits?: Partial<Limits>;
  /**
   * Whether requests are limited by FlowSchemas and PriorityLevelConfigurations, in queues by flow. Without
   * it, the limits on requests in flight are those of all users together.
   */
  readonly priorityAndFairness?: boolean;
  /** Those of kube-apiserver are accepted and have no effect; the server does not start with unknown ones. */
  readonly featureGates?: FeatureGates;
  /**
   * Admission plugins of kube-apiserver. Those of this server are on unless they are disabled; the server
   * does not start if one is enabled that it does not have.
   */
  readonly enableAdmissionPlugins?: readonly string[];
  readonly disableAdmissionPlugins?: readonly string[];
  /** Configurations of plugins by name; the server does not start with one for a plugin that has none. */
  readonly admissionConfiguration?: Readonly<Record<string, JsonValue>>;
  /** API versions and `true` or `false`; the server does not start if one of them cannot be had. */
  readonly runtimeConfig?: RuntimeConfig;
  /**
   * For rehearsals: what fails on kube-apiserver fails here, too, where this server could go on. So far:
   * writes to objects with owners in a version that does not exist any longer.
   */
  readonly strict?: boolean;
  /**
   * Which controllers run, as --controllers of kube-controller-manager: names, `-name`, `*` for all (the
   * default), `-*` for none. The server does not start with names that it does not have.
   */
  readonly controllers?: readonly string[];
  /** The address at which the service default/kubernetes leads here; one of this machine if it is absent. */
  readonly advertiseAddress?: string;
  /** The prefix of every key in the store. */
  readonly etcdPrefix?: string;
  readonly eventTtlSeconds?: number;
  /**
   * The addresses of services that webhooks name, from "namespace/name" or "namespace/name:port" to
   * "host:port"; other services are resolved by their endpoints.
   */
  readonly serviceResolver?: Readonly<Record<string, string>>;
  /** Ranges of which services get addresses: one, or one of each family. */
  readonly serviceClusterIpRanges?: readonly string[];
  readonly log?: Log;
}

/** kube-controller-manager's. */
const DEFAULT_CLUSTER_SIGNING_MS = 365 * 86_400_000;
/** kubeadm's. */
const DEFAULT_SERVICE_RANGE = ['10.96.0.0/12'];

/** These may be undefined. */
type Unset =
  | 'dataDir'
  | 'tls'
  | 'clientCaFile'
  | 'tokenAuthFile'
  | 'audit'
  | 'encryption'
  | 'followAuthorization'
  | 'clusterSigning'
  | 'externalHostname'
  | 'frontProxy'
  | 'authenticationWebhook'
  | 'tlsMinVersion'
  | 'tlsCiphers'
  | 'advertiseAddress';

interface Completed {
  readonly limits: Limits;
  readonly serviceAccounts: ServiceAccountOptions & Required<Pick<ServiceAccountOptions, 'issuers'>>;
}

export type ResolvedOptions = Required<Omit<ServerOptions, Unset | keyof Completed>> &
  Pick<ServerOptions, Unset> &
  Completed;

export function resolveOptions(options: ServerOptions): ResolvedOptions {
  const issuers = options.serviceAccounts?.issuers ?? DEFAULT_ISSUERS;
  return {
    apiAudiences: issuers,
    bindAddress: DEFAULT_BIND_ADDRESS,
    port: 0,
    authorizationModes: DEFAULT_AUTHORIZATION_MODES,
    anonymousAuth: !(options.authorizationModes ?? DEFAULT_AUTHORIZATION_MODES).includes('AlwaysAllow'),
    tokenAuthenticators: [],
    bootstrapTokenAuth: false,
    sniCertificates: [],
    featureGates: {},
    enableAdmissionPlugins: [],
    disableAdmissionPlugins: [],
    admissionConfiguration: {},
    runtimeConfig: {},
    priorityAndFairness: true,
    controllers: ['*'],
    clusterSigningMs: DEFAULT_CLUSTER_SIGNING_MS,
    strict: false,
    etcdPrefix: DEFAULT_ETCD_PREFIX,
    eventTtlSeconds: DEFAULT_EVENT_TTL_SECONDS,
    serviceResolver: {},
    serviceClusterIpRanges: DEFAULT_SERVICE_RANGE,
    log: SILENT,
    ...options,
    serviceAccounts: { ...options.serviceAccounts, issuers },
    limits: { ...DEFAULT_LIMITS, ...options.limits },
  };
}
