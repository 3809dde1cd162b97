// The flags of `serve`, as commander parses them.
import type { NamedCertificateFiles } from '@instar/serving';
import type { AuditFlags } from './audit/flags.ts';
import type { ServiceAccountFlags } from './service-accounts.ts';

/** The connection to etcd: common to all commands that open a storage. */
export interface EtcdFlags {
  readonly etcdServers?: readonly string[];
  readonly etcdCafile?: string;
  readonly etcdCertfile?: string;
  readonly etcdKeyfile?: string;
  readonly etcdUsername?: string;
}

export interface ServeFlags extends EtcdFlags, AuditFlags, ServiceAccountFlags {
  readonly dataDir: string;
  readonly storage?: string;
  readonly history: number;
  readonly etcdCompactionInterval?: number;
  readonly etcdPrefix: string;
  readonly encryptionProviderConfig?: string;
  readonly encryptionProviderConfigAutomaticReload?: boolean;
  readonly eventTtl: number;
  readonly bindAddress: string;
  readonly port?: number;
  readonly securePort?: number;
  readonly certDir?: string;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly kubeconfig?: string;
  readonly tokenAuthFile?: string;
  readonly clientCaFile?: string;
  readonly oidcIssuerUrl?: string;
  readonly oidcClientId?: string;
  readonly oidcUsernameClaim?: string;
  readonly oidcUsernamePrefix?: string;
  readonly oidcGroupsClaim?: string;
  readonly oidcGroupsPrefix?: string;
  readonly oidcRequiredClaim?: Readonly<Record<string, string>>;
  readonly oidcSigningAlgs?: readonly string[];
  readonly oidcCaFile?: string;
  readonly authenticationConfig?: string;
  readonly authenticationTokenWebhookConfigFile?: string;
  readonly authenticationTokenWebhookVersion?: 'v1' | 'v1beta1';
  readonly authenticationTokenWebhookCacheTtl?: number;
  readonly enableBootstrapTokenAuth?: boolean;
  readonly requestheaderClientCaFile?: string;
  readonly requestheaderAllowedNames?: readonly string[];
  readonly requestheaderUsernameHeaders?: readonly string[];
  readonly requestheaderUidHeaders?: readonly string[];
  readonly requestheaderGroupHeaders?: readonly string[];
  readonly requestheaderExtraHeadersPrefix?: readonly string[];
  readonly tlsMinVersion?: 'TLSv1.2' | 'TLSv1.3';
  readonly tlsCipherSuites?: string;
  readonly tlsSniCertKey?: readonly NamedCertificateFiles[];
  readonly clusterSigningCertFile?: string;
  readonly clusterSigningKeyFile?: string;
  readonly clusterSigningDuration: number;
  readonly authorizationMode?: readonly string[];
  readonly authorizationConfig?: string;
  readonly authorizationWebhookConfigFile?: string;
  readonly authorizationWebhookVersion?: 'v1' | 'v1beta1';
  readonly authorizationWebhookCacheAuthorizedTtl?: number;
  readonly authorizationWebhookCacheUnauthorizedTtl?: number;
  readonly anonymousAuth?: boolean;
  readonly enablePriorityAndFairness: boolean;
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
  readonly maxWatches: number;
  readonly requestTimeout: number;
  readonly minRequestTimeout: number;
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  readonly logFormat?: 'json' | 'text';
  readonly v?: number;
  readonly serviceResolver: Readonly<Record<string, string>>;
  readonly controllers?: readonly string[];
  readonly advertiseAddress?: string;
  readonly serviceClusterIpRange?: readonly string[];
  readonly enableAdmissionPlugins?: readonly string[];
  readonly disableAdmissionPlugins?: readonly string[];
  readonly admissionControlConfigFile?: string;
  readonly runtimeConfig?: Readonly<Record<string, string>>;
  readonly strict?: boolean;
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly [ignored: string]: unknown;
}
