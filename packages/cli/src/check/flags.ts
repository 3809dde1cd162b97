// The flags of `instar check` as they are parsed.
import type { Bump } from '@instar/compat';
import type { ClusterFlags } from '../cluster-flags.ts';

type Format = 'text' | 'json' | 'sarif' | 'markdown' | 'junit';
export type FailOn = 'breaking' | 'unsure' | 'caution' | 'never';

export interface CheckFlags extends ClusterFlags {
  readonly format: Format;
  readonly output?: string;
  readonly failOn?: FailOn;
  readonly expect?: Bump;
  readonly exceptions?: string;
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly objects?: string;
  readonly lens?: string;
  readonly webhook?: string;
  readonly caFile?: string;
  readonly insecure?: boolean;
  readonly generate: number;
  readonly crd?: string;
  readonly convertedByWebhook?: readonly string[];
  readonly openEnum?: readonly string[];
  readonly servedVersions: boolean;
  readonly all?: boolean;
  readonly color: boolean;
}
