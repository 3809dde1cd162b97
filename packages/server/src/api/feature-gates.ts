// --feature-gates: the gates of this server, and those of kube-apiserver, which are accepted and logged, but
// have no effect.
import type { Log } from '@instar/serving';
import { KUBE_FEATURE_GATES } from './kube-feature-gates.ts';

export type FeatureGates = Readonly<Record<string, boolean>>;

/** If turned off, definitions with a conversion webhook are stored but not served. */
export const WEBHOOK_CONVERSION = 'CustomResourceWebhookConversion';

const OWN_GATES: ReadonlySet<string> = new Set([WEBHOOK_CONVERSION]);

/** Throws kube-apiserver's error if a gate is unknown; logs which ones have no effect. */
export function checkFeatureGates(gates: FeatureGates, log: Log): void {
  const others = Object.keys(gates).filter((name) => !OWN_GATES.has(name));
  const unknown = others.find((name) => !KUBE_FEATURE_GATES.has(name));
  if (unknown !== undefined) throw new Error(`unrecognized feature gate: ${unknown}`);
  for (const gate of others)
    log.warn({ gate }, 'this feature gate of kube-apiserver is accepted and has no effect');
}
