// The flags of `webhook serve`, as commander parses them.
import type { ClusterFlags } from '../cluster-flags.ts';

export interface NamespacedName {
  readonly namespace: string;
  readonly name: string;
}

export interface InjectFlag {
  readonly kind:
    | 'customResourceDefinition'
    | 'validatingWebhookConfiguration'
    | 'mutatingWebhookConfiguration';
  readonly name: string;
}

export interface WebhookFlags extends ClusterFlags {
  readonly lens?: readonly string[];
  readonly module?: readonly string[];
  readonly convertPath: string;
  readonly bindAddress?: string;
  readonly port: number;
  readonly certFile?: string;
  readonly keyFile?: string;
  readonly selfSigned?: true;
  readonly service?: NamespacedName;
  readonly host: readonly string[];
  readonly certDir?: string;
  readonly certSecret?: NamespacedName;
  readonly inject: readonly InjectFlag[];
  readonly clientCaFile?: string;
  readonly maxInFlight: number;
  readonly maxConversionBytes: number;
  readonly shutdownGrace: number;
  readonly lameDuck: number;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  readonly logFormat?: 'json' | 'text';
}
